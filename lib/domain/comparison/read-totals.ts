import { inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { scenarioRuns } from "#db/schema/scenarios";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import { asBase64, type Rows } from "#lib/domain/scenarios/chunks/read-series";
import type { KnownScenario } from "#lib/domain/scenarios/chunks/series-cache";
import { type OverriddenScenario, readEffectiveBounds } from "#lib/domain/scenarios/panel/effective-series";
import { squaredWidths } from "#lib/engine/intervals/shape";
import { decodeTotals, type StoredTotals, sumBetween } from "#lib/engine/intervals/stored-totals";
import { type Total, totalOfRows } from "#lib/engine/intervals/total-intervals";

/** Reads the stored totals of runs, by ID. */
export async function readTotals(
  db: Database,
  runIds: readonly string[],
): Promise<Map<string, StoredTotals>> {
  const rows = await db
    .select({ id: scenarioRuns.id, totals: asBase64(sql`${scenarioRuns.totals}`) })
    .from(scenarioRuns)
    .where(inArray(scenarioRuns.id, [...runIds]));
  return new Map(
    rows.flatMap(({ id, totals }): [string, StoredTotals][] =>
      totals === null ? [] : [[id, decodeTotals(Buffer.from(totals, "base64"))]],
    ),
  );
}

/**
 * Adds up rows of a scenario with overrides. The stored totals are of calculated values, so the bounds of all rows are read.
 *
 * @param prediction effective predictions of all rows
 */
export async function overriddenTotal(
  db: Database,
  scenario: OverriddenScenario,
  prediction: Float64Array,
  { from, to }: Rows,
): Promise<Total> {
  const bounds = await readEffectiveBounds(db, scenario, { from, to });
  return totalOfRows({ prediction: prediction.subarray(from, to), ...bounds }, { from: 0, to: to - from });
}

/**
 * Returns the sum of the squared half widths of some rows; NaN without intervals. Reads only the bounds of rows outside
 * whole cells of the stored totals.
 *
 * @param prediction predictions of all rows
 * @throws {DomainError} scenario_not_found if the scenario was deleted during the request
 */
export async function squaresOf(
  db: Database,
  scenario: KnownScenario,
  totals: StoredTotals,
  prediction: Float64Array,
  { from, to }: Rows,
): Promise<number> {
  const { squares, every, rowCount } = totals;
  if (squares === null) return Number.NaN;
  const first = Math.min(to, Math.ceil(from / every) * every);
  const last = to === rowCount ? to : Math.max(first, Math.floor(to / every) * every);
  const edges = Int32Array.from({ length: first - from + (to - last) }, (_, i) =>
    from + i < first ? from + i : last + (i - (first - from)),
  );
  const whole = sumBetween(squares, totals, { from: first, to: last });
  if (edges.length === 0) return whole;
  const { upper } = await boundsAt(db, scenario, edges);
  if (upper === null) return Number.NaN;
  const widths = squaredWidths(
    Float64Array.from(edges, (row) => prediction[row]!),
    upper,
  );
  return widths.reduce((sum, width) => (Number.isNaN(width) ? sum : sum + width), whole);
}
