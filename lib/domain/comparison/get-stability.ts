import { and, desc, eq, isNotNull } from "drizzle-orm";
import { scenarioRuns } from "#db/schema/scenarios";
import type { Stability } from "#lib/contract/stability";
import { findScenario } from "#lib/domain/scenarios/find-scenario";
import { readShown } from "#lib/domain/scenarios/panel/shown-scenarios";
import { type ScenarioRow, scenarioPaging, selectScenarios } from "#lib/domain/scenarios/select-scenarios";
import { addMovements, type Movement, movement, relativeChange } from "#lib/engine/series/movement";
import type { Context } from "#lib/platform/context/context";

/** Number of rows of all compared runs. Older runs of a long scenario are left out, so that a request takes about a second. */
const ROWS_MAX = 2_000_000;

const nothing: Movement = { rows: 0, change: 0, level: 0 };

/**
 * Measures how far the forecast of the same time moved from each completed run to the next: the effective values that people saw. Of
 * many series, their sums.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function getStability(
  ctx: Context,
  ids: { projectId: string; scenarioId: string },
): Promise<Stability> {
  const { id, projectId } = (await findScenario(ctx.db, ids)).scenario;
  const completed = await ctx.db
    .select({ id: scenarioRuns.id, rowCount: scenarioRuns.rowCount })
    .from(scenarioRuns)
    .where(
      and(
        eq(scenarioRuns.projectId, projectId),
        eq(scenarioRuns.scenarioId, id),
        isNotNull(scenarioRuns.completedAt),
      ),
    )
    .orderBy(desc(scenarioRuns.completedAt));
  let read = 0;
  const newest = completed.filter(({ rowCount }) => {
    read += rowCount ?? 0;
    return read <= ROWS_MAX;
  });
  const unmoved: Stability = { scenarioId: id, relativeChange: null, rows: 0, runs: [] };
  if (newest.length < 2) return unmoved;
  const selected = await selectScenarios(ctx.db, {
    projectId,
    ids: [id],
    runIds: newest.map((run) => run.id),
    paging: scenarioPaging({ limit: newest.length }),
  });
  const byRun = new Map(selected.map((row) => [row.scenario.runId, row]));
  // Without those that were deleted in the meantime.
  const rows = newest.flatMap((run) => byRun.get(run.id) ?? []);
  if (rows.length < 2) return unmoved;
  const { shown } = await readShown(ctx, rows, {});
  const movements = shown.slice(0, -1).map(({ row, points: newer }, at): Movement => {
    const { points: former } = shown[at + 1]!;
    if (former.timestamps === null || newer.timestamps === null) return nothing;
    return movement(
      { timestamps: former.timestamps, prediction: former.prediction },
      { timestamps: newer.timestamps, prediction: newer.prediction },
      row.scenario.knownUntil?.getTime() ?? null,
    );
  });
  const all = addMovements(movements);
  return {
    scenarioId: id,
    relativeChange: relativeChange(all),
    rows: all.rows,
    runs: movements.map((one, at) => present(one, rows[at]!, rows[at + 1]!)),
  };
}

const present = (
  one: Movement,
  { scenario }: ScenarioRow,
  former: ScenarioRow,
): Stability["runs"][number] => ({
  runId: scenario.runId,
  formerRunId: former.scenario.runId,
  completedAt: scenario.completedAt!.toISOString(),
  rows: one.rows,
  meanAbsoluteChange: one.rows === 0 ? null : one.change / one.rows,
  relativeChange: relativeChange(one),
});
