import { and, eq, isNotNull } from "drizzle-orm";
import { scenarios } from "#db/schema/scenarios";
import { faultPoint } from "#lib/jobs/fault-point";
import type { JobRun } from "#lib/jobs/job-run";
import { store } from "#lib/storage/store";
import { scenarioFolder } from "./scenario-input.ts";

/** Removes what a deleted scenario stored: files first, then its rows, so that nothing is left that no row names. */
export async function removeScenario(run: JobRun, { scenarioId }: { scenarioId: string }): Promise<void> {
  const { projectId } = run.job;
  await run.report(10, { stage: "Removing files" });
  await store().deleteFolder(scenarioFolder(projectId, scenarioId));
  faultPoint(run.job, "files removed");
  await run.ctx.db.transaction(async (tx) => {
    await run.hold(tx);
    await tx
      .delete(scenarios)
      .where(
        and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId), isNotNull(scenarios.deletedAt)),
      );
    await run.complete(tx);
  });
}
