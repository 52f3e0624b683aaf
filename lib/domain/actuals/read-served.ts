import { withoutOverrides } from "#lib/domain/scenarios/panel/effective-series";
import { boundsOfShown, type ChosenPanel, readShown } from "#lib/domain/scenarios/panel/shown-scenarios";
import { spanOverrides } from "#lib/domain/scenarios/panel/span-overrides";
import { overridesOfRows } from "#lib/engine/overrides/apply-overrides";
import type { Context } from "#lib/platform/context/context";
import type { ServedRows } from "./compare-rows.ts";
import type { ServedRun } from "./served-runs.ts";

type ReadServed = {
  /** Time of the last actual value. */
  last: number;
  /** Position of each override in `overrides` of the request. */
  positions: ReadonlyMap<string, number>;
  /** Columns that name the series of the dataset; null for one series. */
  series: readonly string[] | null;
};

/**
 * Reads what a run predicted for times that it did not know and whose actual value may have arrived. Of many series: their totals.
 *
 * @returns null if there is no such time, or if the run predicted other series than the dataset has
 * @throws {DomainError} scenario_not_found if the run was deleted during the request
 */
export async function readServed(
  ctx: Context,
  { row, knownUntil }: ServedRun,
  { last, positions, series }: ReadServed,
): Promise<Omit<ServedRows, "checkpoint"> | null> {
  const { overrides } = row.scenario;
  const shown = (await readShown(ctx, [row], {})).shown[0]!;
  const { points, panel } = shown;
  const { timestamps } = points;
  const own = panel?.panel.columns.slice(0, panel.panel.keys);
  if (timestamps === null || own?.join("\n") !== series?.join("\n")) return null;
  const rows = Int32Array.from(timestamps.keys())
    .filter((at) => timestamps[at]! > knownUntil && timestamps[at]! <= last)
    .sort((a, b) => timestamps[a]! - timestamps[b]!);
  if (rows.length === 0) return null;
  const take = (values: Float64Array) => Float64Array.from(rows, (at) => values[at]!);
  const times = take(timestamps);
  const calculated =
    overrides.length === 0 ? points : (await readShown(ctx, [withoutOverrides(row)], {})).shown[0]!.points;
  const spans = spanOverrides(overrides, panel?.panel ?? null);
  const lastOf =
    panel === null
      ? overridesOfRows({ timestamps: times, seriesOf: null }, spans)
      : lastOfTotals(panel, spans, rows);
  const { lower, upper } = await boundsOfShown(ctx, shown)(rows);
  return {
    knownUntil,
    times,
    effective: take(points.prediction),
    calculated: take(calculated.prediction),
    lower,
    upper,
    overrideOf: lastOf.map((at) => (at === -1 ? -1 : positions.get(overrides[at]!.id)!)),
    panel: panel && { panel: panel.panel, chosen: panel.chosen },
  };
}

/** Returns the last override that applies to a series at each of the points. */
function lastOfTotals(
  { panel, places }: ChosenPanel,
  spans: ReturnType<typeof spanOverrides>,
  points: Int32Array,
): Int32Array {
  const { times, timeOf, ofRow } = panel;
  const timestamps = Float64Array.from(timeOf, (place) => times[place]!);
  const last = new Int32Array(times.length).fill(-1);
  overridesOfRows({ timestamps, seriesOf: ofRow }, spans).forEach((position, row) => {
    last[timeOf[row]!] = Math.max(last[timeOf[row]!]!, position);
  });
  return points.map((point) => last[places[point]!]!);
}
