import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { scenarios } from "#db/schema/scenarios";
import { lockProject } from "#lib/domain/projects/lock-project";
import { findScenario, type ScenarioRef } from "./find-scenario.ts";
import type { ScenarioRow } from "./select-scenarios.ts";

/**
 * Locks the rows of a scenario's project, of its job and of the scenario, in this order, until the transaction ends. The
 * end of a job also locks the job before the scenario, so the two transactions cannot deadlock.
 *
 * @throws {DomainError} project_not_found, scenario_not_found
 */
export async function lockScenario(tx: Transaction, ids: ScenarioRef): Promise<ScenarioRow> {
  await lockProject(tx, ids.projectId);
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
    // Otherwise the scenario got another job, or was deleted, while this transaction waited for the lock.
    if (locked.length > 0) return findScenario(tx, ids);
  }
}
