import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { type PageRequest, Paging } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import { newerDefaults } from "#lib/domain/checkpoints/newer-defaults";

const columns = {
  scenario: {
    id: scenarios.id,
    projectId: scenarios.projectId,
    title: scenarios.title,
    description: scenarios.description,
    notes: scenarios.notes,
    tags: scenarios.tags,
    color: scenarios.color,
    archived: scenarios.archived,
    checkpointId: scenarios.checkpointId,
    jobId: scenarios.jobId,
    source: scenarios.source,
    fileName: scenarios.fileName,
    endDate: scenarios.endDate,
    baseScenarioId: scenarios.baseScenarioId,
    adjustments: scenarios.adjustments,
    inputKey: scenarios.inputKey,
    rowCount: scenarios.rowCount,
    firstTimestamp: scenarios.firstTimestamp,
    lastTimestamp: scenarios.lastTimestamp,
    summary: scenarios.summary,
    intervals: scenarios.intervals,
    warnings: scenarios.warnings,
    createdAt: scenarios.createdAt,
    createdBy: scenarios.createdBy,
  },
  status: jobs.status,
  checkpointLabel: checkpoints.label,
};

/** A scenario with the fields of its job and checkpoints that belong to its record. */
export type ScenarioRow = Awaited<ReturnType<typeof selectScenarios>>[number];

export const scenarioPaging = (request: PageRequest) =>
  new Paging([scenarios.createdAt, scenarios.id], request);

/** Selects scenarios of one project that are not deleted: the given IDs, or a page of those that pass the filter. */
export async function selectScenarios(
  db: Queryable,
  {
    projectId,
    ids,
    filter,
    paging,
  }: { projectId: string; ids?: readonly string[]; filter?: SQL | undefined; paging: Paging },
) {
  const rows = await db
    .select({ ...columns, position: paging.position })
    .from(scenarios)
    .innerJoin(jobs, eq(jobs.id, scenarios.jobId))
    .leftJoin(checkpoints, eq(checkpoints.id, scenarios.checkpointId))
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
    rows.map(({ scenario }) => scenario.id),
  );
  const stale = await newerDefaults(
    db,
    projectId,
    [...pinned.values()].flatMap((pinnedCheckpoints) =>
      pinnedCheckpoints.flatMap(({ checkpointId }) => checkpointId ?? []),
    ),
  );
  return rows.map((row) => {
    const own = pinned.get(row.scenario.id) ?? [];
    return {
      ...row,
      pinned: own,
      stalePins: own.flatMap(({ checkpointId }) => stale.get(checkpointId ?? "") ?? []),
    };
  });
}

/** A pinned checkpoint of an upstream project. `checkpointId` is null if the new checkpoint was never saved. */
export type PinnedCheckpoint = { projectId: string; checkpointId: string | null; label: string | null };

async function selectPinned(
  db: Queryable,
  scenarioIds: readonly string[],
): Promise<Map<string, PinnedCheckpoint[]>> {
  if (scenarioIds.length === 0) return new Map();
  const rows = await db
    .select({
      scenarioId: scenarioCheckpoints.scenarioId,
      projectId: scenarioCheckpoints.upstreamProjectId,
      checkpointId: scenarioCheckpoints.checkpointId,
      label: checkpoints.label,
    })
    .from(scenarioCheckpoints)
    .leftJoin(checkpoints, eq(checkpoints.id, scenarioCheckpoints.checkpointId))
    .where(inArray(scenarioCheckpoints.scenarioId, [...scenarioIds]))
    .orderBy(scenarioCheckpoints.upstreamProjectId);
  return Map.groupBy(rows, ({ scenarioId }) => scenarioId);
}
