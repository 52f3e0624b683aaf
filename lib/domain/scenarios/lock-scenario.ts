import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { scenarios } from "#db/schema/scenarios";
import { holdProject } from "#lib/projects/hold-project";
import { findScenario } from "./find-scenario.ts";
import type { ScenarioRow } from "./queries.ts";

/**
 * A scenario whose rows stay locked until the transaction ends: its project's first, then its job's, as the end of a job
 * takes them, so that nobody waits in a circle.
 *
 * @throws {DomainError} project_not_found, scenario_not_found
 */
export async function lockScenario(
  tx: Transaction,
  ids: { projectId: string; scenarioId: string },
): Promise<ScenarioRow> {
  await holdProject(tx, ids.projectId);
  for (;;) {
    const { id, projectId, jobId } = (await findScenario(tx, ids)).scenario;
    await tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, jobId)).for("no key update");
    const locked = await tx
      .select({ id: scenarios.id })
      .from(scenarios)
      .where(
        and(
          eq(scenarios.projectId, projectId),
          eq(scenarios.id, id),
          eq(scenarios.jobId, jobId),
          isNull(scenarios.deletedAt),
        ),
      )
      .for("no key update");
    // Otherwise it has got another job, or was deleted, while this one was waited for.
    if (locked.length > 0) return findScenario(tx, ids);
  }
}
