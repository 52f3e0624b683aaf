import { and, eq } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioRuns } from "#db/schema/scenarios";
import type { ScenarioRun } from "#lib/contract/scenario-runs";
import { findScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { knownUntilOf } from "#lib/domain/scenarios/known-until";
import type { Context } from "#lib/platform/context/context";
import { summariesOfRun } from "./present-run.ts";

const columns = {
  id: scenarioRuns.id,
  scenarioId: scenarioRuns.scenarioId,
  checkpointId: scenarioRuns.checkpointId,
  checkpointLabel: checkpoints.label,
  released: scenarioRuns.released,
  inputKey: scenarioRuns.inputKey,
  intervals: scenarioRuns.intervals,
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
 * Lists the runs of a scenario, newest first, with the summaries that people read: those of effective values.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function listRuns(
  ctx: Context,
  { limit, after, ...ids }: ScenarioRef & PageRequest,
): Promise<Page<ScenarioRun>> {
  const scenario = await findScenario(ctx.db, ids);
  const { id, projectId, source } = scenario.scenario;
  const paging = new Paging([scenarioRuns.createdAt, scenarioRuns.id], { limit, after });
  const rows = await ctx.db
    .select({ ...columns, position: paging.position })
    .from(scenarioRuns)
    .innerJoin(jobs, eq(jobs.id, scenarioRuns.jobId))
    .leftJoin(checkpoints, eq(checkpoints.id, scenarioRuns.checkpointId))
    .where(and(eq(scenarioRuns.projectId, projectId), eq(scenarioRuns.scenarioId, id), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  const read = new Map<string, Pick<ScenarioRun, "knownUntil" | "summary" | "calculatedSummary">>();
  // One after another, because summaries with overrides read all rows of a run.
  for (const run of rows)
    read.set(run.id, {
      ...(await summariesOfRun(ctx.db, scenario, run)),
      knownUntil: isoOf(await knownUntilOf(source, run)),
    });
  return paging.page(rows, ({ position: _, released, inputKey: __, intervals: ___, ...run }) => ({
    ...run,
    ...read.get(run.id)!,
    checkpointId: released?.checkpointId ?? run.checkpointId,
    checkpointLabel: released?.label ?? run.checkpointLabel,
    firstTimestamp: isoOf(run.firstTimestamp),
    lastTimestamp: isoOf(run.lastTimestamp),
    createdAt: run.createdAt.toISOString(),
    completedAt: isoOf(run.completedAt),
  }));
}

const isoOf = (time: Date | null) => time?.toISOString() ?? null;
