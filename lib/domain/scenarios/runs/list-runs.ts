import { and, eq } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioRuns } from "#db/schema/scenarios";
import type { ScenarioRun } from "#lib/contract/scenario-runs";
import { findScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import type { Context } from "#lib/platform/context/context";

const columns = {
  id: scenarioRuns.id,
  scenarioId: scenarioRuns.scenarioId,
  checkpointId: scenarioRuns.checkpointId,
  checkpointLabel: checkpoints.label,
  released: scenarioRuns.released,
  knownUntil: scenarioRuns.knownUntil,
  rowCount: scenarioRuns.rowCount,
  firstTimestamp: scenarioRuns.firstTimestamp,
  lastTimestamp: scenarioRuns.lastTimestamp,
  summary: scenarioRuns.summary,
  status: jobs.status,
  jobId: scenarioRuns.jobId,
  createdAt: scenarioRuns.createdAt,
  createdBy: scenarioRuns.createdBy,
  completedAt: scenarioRuns.completedAt,
};

/**
 * Lists the runs of a scenario, newest first.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function listRuns(
  ctx: Context,
  { limit, after, ...ids }: ScenarioRef & PageRequest,
): Promise<Page<ScenarioRun>> {
  const { id, projectId } = (await findScenario(ctx.db, ids)).scenario;
  const paging = new Paging([scenarioRuns.createdAt, scenarioRuns.id], { limit, after });
  const rows = await ctx.db
    .select({ ...columns, position: paging.position })
    .from(scenarioRuns)
    .innerJoin(jobs, eq(jobs.id, scenarioRuns.jobId))
    .leftJoin(checkpoints, eq(checkpoints.id, scenarioRuns.checkpointId))
    .where(and(eq(scenarioRuns.projectId, projectId), eq(scenarioRuns.scenarioId, id), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ position: _, released, ...run }) => ({
    ...run,
    checkpointId: released?.checkpointId ?? run.checkpointId,
    checkpointLabel: released?.label ?? run.checkpointLabel,
    knownUntil: isoOf(run.knownUntil),
    firstTimestamp: isoOf(run.firstTimestamp),
    lastTimestamp: isoOf(run.lastTimestamp),
    createdAt: run.createdAt.toISOString(),
    completedAt: isoOf(run.completedAt),
  }));
}

const isoOf = (time: Date | null) => time?.toISOString() ?? null;
