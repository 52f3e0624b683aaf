import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { type PageRequest, Paging } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { newerDefaults } from "#lib/domain/checkpoints/newer-defaults";
import { selectOverrides } from "./select-overrides.ts";

const columns = {
  scenario: {
    id: scenarios.id,
    runId: scenarioRuns.id,
    projectId: scenarios.projectId,
    title: scenarios.title,
    description: scenarios.description,
    notes: scenarios.notes,
    tags: scenarios.tags,
    color: scenarios.color,
    archived: scenarios.archived,
    checkpointId: scenarioRuns.checkpointId,
    jobId: scenarioRuns.jobId,
    source: scenarios.source,
    fileName: scenarios.fileName,
    endDate: scenarioRuns.endDate,
    steps: scenarioRuns.steps,
    baseScenarioId: scenarios.baseScenarioId,
    adjustments: scenarios.adjustments,
    inputKey: scenarioRuns.inputKey,
    rowCount: scenarioRuns.rowCount,
    firstTimestamp: scenarioRuns.firstTimestamp,
    lastTimestamp: scenarioRuns.lastTimestamp,
    knownUntil: scenarioRuns.knownUntil,
    completedAt: scenarioRuns.completedAt,
    summary: scenarioRuns.summary,
    intervals: scenarioRuns.intervals,
    warnings: scenarioRuns.warnings,
    createdAt: scenarios.createdAt,
    createdBy: scenarios.createdBy,
  },
  status: jobs.status,
  checkpointLabel: checkpoints.label,
  released: scenarioRuns.released,
  shownRunId: scenarios.shownRunId,
  effectiveSummary: scenarios.effectiveSummary,
};

/** A scenario with the fields of one of its runs, of the run's job and checkpoints. */
export type ScenarioRow = Awaited<ReturnType<typeof selectScenarios>>[number];

export const scenarioPaging = (request: PageRequest) =>
  new Paging([scenarios.createdAt, scenarios.id], request);

/**
 * Selects scenarios of one project that are not deleted: the given IDs, or a page of those that pass the filter. Each has the
 * fields of the run that it shows, or of the given run.
 */
export async function selectScenarios(
  db: Queryable,
  {
    projectId,
    ids,
    runIds,
    asOf,
    filter,
    paging,
  }: {
    projectId: string;
    ids?: readonly string[];
    /** One run of each scenario. */
    runIds?: readonly string[] | undefined;
    /** Time at which the overrides were active; by default now. */
    asOf?: Date | undefined;
    filter?: SQL | undefined;
    paging: Paging;
  },
) {
  const rows = await db
    .select({ ...columns, position: paging.position })
    .from(scenarios)
    .innerJoin(
      scenarioRuns,
      runIds === undefined
        ? eq(scenarioRuns.id, scenarios.shownRunId)
        : and(eq(scenarioRuns.scenarioId, scenarios.id), inArray(scenarioRuns.id, [...runIds])),
    )
    .innerJoin(jobs, eq(jobs.id, scenarioRuns.jobId))
    .leftJoin(checkpoints, eq(checkpoints.id, scenarioRuns.checkpointId))
    .where(
      and(
        eq(scenarios.projectId, projectId),
        isNull(scenarios.deletedAt),
        ids && inArray(scenarios.id, [...ids]),
        filter,
        paging.where,
      ),
    )
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  const pinned = await selectPinned(
    db,
    rows.map(({ scenario }) => scenario.runId),
  );
  const stale = await newerDefaults(
    db,
    projectId,
    [...pinned.values()].flatMap((pinnedCheckpoints) =>
      pinnedCheckpoints.flatMap(({ checkpointId }) => checkpointId ?? []),
    ),
  );
  const overrides = await selectOverrides(
    db,
    rows.flatMap(({ scenario, effectiveSummary }) => (asOf || effectiveSummary ? [scenario.id] : [])),
    asOf,
  );
  return rows.map((row) => {
    const { scenario, released, shownRunId, effectiveSummary } = row;
    const own: PinnedCheckpoint[] = released?.upstreams ?? pinned.get(scenario.runId) ?? [];
    // The stored summary with overrides is that of the shown run with the active ones.
    const effective = scenario.runId === shownRunId && !asOf ? effectiveSummary : null;
    return {
      ...row,
      /** As a comparison names the row: the ID of the scenario, or with that of a run. */
      name: scenario.id,
      scenario: {
        ...scenario,
        checkpointId: released?.checkpointId ?? scenario.checkpointId,
        summary: effective ?? scenario.summary,
        ...(effective && scenario.summary && { calculatedSummary: scenario.summary }),
        /** Active overrides, or those at `asOf`, in the order in which they apply. */
        overrides: overrides.get(scenario.id) ?? [],
      },
      checkpointLabel: released?.label ?? row.checkpointLabel,
      pinned: own,
      stalePins: own.flatMap(({ checkpointId }) => stale.get(checkpointId ?? "") ?? []),
    };
  });
}

/** A pinned checkpoint of an upstream project. `checkpointId` is null if the new checkpoint was never saved. */
export type PinnedCheckpoint = { projectId: string; checkpointId: string | null; label: string | null };

async function selectPinned(
  db: Queryable,
  runIds: readonly string[],
): Promise<Map<string, PinnedCheckpoint[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .select({
      runId: scenarioCheckpoints.runId,
      projectId: scenarioCheckpoints.upstreamProjectId,
      checkpointId: scenarioCheckpoints.checkpointId,
      label: checkpoints.label,
    })
    .from(scenarioCheckpoints)
    .leftJoin(checkpoints, eq(checkpoints.id, scenarioCheckpoints.checkpointId))
    .where(inArray(scenarioCheckpoints.runId, [...runIds]))
    .orderBy(scenarioCheckpoints.upstreamProjectId);
  return Map.groupBy(rows, ({ runId }) => runId);
}
