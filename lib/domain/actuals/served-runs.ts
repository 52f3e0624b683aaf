import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarioOverrides, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { limits } from "#lib/contract/limits";
import { type ScenarioRow, scenarioPaging, selectScenarios } from "#lib/domain/scenarios/select-scenarios";

/** Run whose scenario has the overrides that applied to it, each limited to the times that were not known yet. */
export type ServedRun = {
  row: ScenarioRow;
  /** Time of the last row that the run knew, epoch milliseconds. */
  knownUntil: number;
};

/** Author and reason of an override. */
export type OverrideFacts = { author: string; reason: string };

/** Overrides that are read, the latest ones. At most 100 are active at once, so only replaced ones can be this many. */
const OVERRIDES_MAX = 2_000;

/** `scenarioId`: only the runs of this scenario. `knownUntil`: time of the last actual value, epoch milliseconds. */
type Tracked = { projectId: string; scenarioId: string | undefined; target: string; knownUntil: number };

/**
 * Finds the latest runs of a project that predicted times whose actual value has arrived since. Leaves out scenarios based on others,
 * which ask what would happen if, and runs of earlier versions of the service, for which it is unknown which rows they knew.
 *
 * @returns the runs, latest first; the number of runs that were left out because of the limits; facts of their overrides by ID
 */
export async function servedRuns(db: Queryable, tracked: Tracked) {
  const found = await selectRuns(db, tracked);
  let rows = 0;
  const kept = found.filter(({ rowCount }) => {
    const fits = rows + rowCount! <= limits.trackedRows;
    if (fits) rows += rowCount!;
    return fits;
  });
  if (kept.length === 0)
    return { runs: [], omitted: found[0]?.count ?? 0, facts: new Map<string, OverrideFacts>() };
  const scenarioIds = [...new Set(kept.map((run) => run.scenarioId))];
  const [selected, overrides] = await Promise.all([
    selectScenarios(db, {
      projectId: tracked.projectId,
      ids: scenarioIds,
      runIds: kept.map(({ id }) => id),
      paging: scenarioPaging({ limit: kept.length }),
    }),
    selectTimely(db, scenarioIds, tracked.knownUntil),
  ]);
  const byRun = new Map(selected.map((row) => [row.scenario.runId, row]));
  const runs = kept.flatMap((run): ServedRun[] => {
    const row = byRun.get(run.id);
    // Deleted in the meantime.
    if (row === undefined) return [];
    const own = overrides.filter(
      (one) =>
        one.scenarioId === run.scenarioId &&
        (run.replacedAt === null || one.createdAt < run.replacedAt) &&
        (one.endedAt === null || one.endedAt > run.completedAt!),
    );
    return [
      {
        row: { ...row, scenario: { ...row.scenario, overrides: own.map(limitToUnknown) } },
        knownUntil: run.knownUntil!.getTime(),
      },
    ];
  });
  const facts = new Map(overrides.map(({ id, createdBy, reason }) => [id, { author: createdBy, reason }]));
  return { runs, omitted: found[0]!.count - kept.length, facts };
}

function selectRuns(db: Queryable, { projectId, scenarioId, target, knownUntil: known }: Tracked) {
  const { id, completedAt, knownUntil, firstTimestamp, lastTimestamp, rowCount, released } = scenarioRuns;
  const checkpointId = sql`coalesce(${scenarioRuns.checkpointId}, (${released} ->> 'checkpointId')::uuid)`;
  return db
    .select({
      id,
      scenarioId: scenarioRuns.scenarioId,
      rowCount,
      knownUntil,
      completedAt,
      /** Time at which the next run of the scenario took its place. */
      replacedAt: sql<Date | null>`(
        select min(later.completed_at) from scenario_runs later
        where later.scenario_id = ${scenarioRuns.scenarioId} and later.completed_at > ${completedAt}
      )`.mapWith(completedAt),
      count: sql<number>`(count(*) over ())::integer`,
    })
    .from(scenarioRuns)
    .innerJoin(scenarios, eq(scenarios.id, scenarioRuns.scenarioId))
    .leftJoin(checkpoints, and(eq(checkpoints.id, checkpointId), eq(checkpoints.projectId, projectId)))
    .where(
      and(
        eq(scenarioRuns.projectId, projectId),
        scenarioId === undefined ? undefined : eq(scenarioRuns.scenarioId, scenarioId),
        isNull(scenarios.deletedAt),
        ne(scenarios.source, "Clone"),
        isNotNull(completedAt),
        gt(lastTimestamp, knownUntil),
        lt(knownUntil, new Date(known)),
        lte(firstTimestamp, new Date(known)),
        eq(sql`coalesce(${checkpoints.target}, ${released} ->> 'target')`, target),
      ),
    )
    .orderBy(desc(completedAt), desc(id))
    .limit(limits.trackedRuns);
}

/** Selects the overrides that stood when an actual value arrived, in the order in which they apply. */
async function selectTimely(db: Queryable, scenarioIds: readonly string[], known: number) {
  const { scenarioId, createdAt, knownUntil, endedAt, endedKnownUntil } = scenarioOverrides;
  const rows = await db
    .select()
    .from(scenarioOverrides)
    .where(
      and(
        inArray(scenarioId, [...scenarioIds]),
        lt(knownUntil, new Date(known)),
        or(isNull(endedAt), gt(endedKnownUntil, knownUntil)),
      ),
    )
    .orderBy(desc(createdAt), desc(scenarioOverrides.id))
    .limit(OVERRIDES_MAX);
  return rows.reverse();
}

/**
 * Limits an override to the times whose actual value arrived while it stood. An override that was added once the value was known is no
 * forecast, and neither is one that was removed before.
 */
function limitToUnknown({ id, operation, value, where, from, to, knownUntil, endedKnownUntil }: Timely) {
  return {
    id,
    operation,
    value,
    where,
    from: Math.max(from.getTime(), knownUntil!.getTime() + 1),
    to: Math.min(to.getTime(), endedKnownUntil?.getTime() ?? Number.POSITIVE_INFINITY),
  };
}
type Timely = Awaited<ReturnType<typeof selectTimely>>[number];
