import { and, eq, isNotNull } from "drizzle-orm";
import { scenarios } from "#db/schema/scenarios";
import type { JobRun } from "#lib/platform/jobs/job-run";

/** Deletes the rows of a deleted scenario. A trigger records its folders, which workers delete. */
export async function removeScenario(run: JobRun, { scenarioId }: { scenarioId: string }): Promise<void> {
  const { projectId } = run.job;
  await run.ctx.db.transaction(async (tx) => {
    await run.requireCurrentAttempt(tx);
    await tx
      .delete(scenarios)
      .where(
        and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId), isNotNull(scenarios.deletedAt)),
      );
    await run.complete(tx);
  });
}
