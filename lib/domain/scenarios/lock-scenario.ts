import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import { lockProject } from "#lib/domain/projects/lock-project";
import { isTerminal } from "#lib/platform/jobs/states";
import { findScenario, type ScenarioRef } from "./find-scenario.ts";
import type { ScenarioRow } from "./select-scenarios.ts";

/**
 * Locks the rows of a scenario's project, of the job of its run that has not completed, and of the scenario, in this order, until
 * the transaction ends. The end of a job also locks the job before the scenario, so the two transactions cannot deadlock. Requests
 * that give a scenario another job, or delete it, lock the project, too.
 *
 * @returns the scenario, and the job that still computes a run; null without one
 * @throws {DomainError} project_not_found, scenario_not_found
 */
export async function lockScenario(
  tx: Transaction,
  ids: ScenarioRef,
): Promise<ScenarioRow & { openJobId: string | null }> {
  await lockProject(tx, ids.projectId);
  const { id } = (await findScenario(tx, ids)).scenario;
  const open = tx
    .select({ id: scenarioRuns.jobId })
    .from(scenarioRuns)
    .where(and(eq(scenarioRuns.scenarioId, id), isNull(scenarioRuns.completedAt)));
  const [job] = await tx
    .select({ id: jobs.id, status: jobs.status })
    .from(jobs)
    .where(inArray(jobs.id, open))
    .for("no key update");
  await tx.select({ id: scenarios.id }).from(scenarios).where(eq(scenarios.id, id)).for("no key update");
  const openJobId = job === undefined || isTerminal(job.status) ? null : job.id;
  return { ...(await findScenario(tx, ids)), openJobId };
}
