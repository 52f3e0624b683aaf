import type { Table } from "#lib/contract/table";
import type { ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import type { GridDefinition } from "#lib/engine/features/grid";
import { keyValues } from "#lib/engine/panel/panel-rows";
import { indexSeries, seriesKey } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { type KnownTarget, stepOf } from "./actuals-of.ts";
import type { WantedTarget } from "./target-rows.ts";

type ToSum = { grid: GridDefinition | null; panel: Pick<ChosenPanel, "panel" | "chosen"> };

/**
 * Sums the actuals of the chosen series of a scenario at each of its times. A sum is known if the actual of every chosen series
 * that has a row at this time is known: otherwise it could not be compared with the total of the predictions.
 *
 * @param known of `panelTargetRows`
 * @returns null if no sum is known
 */
export function sumActuals(
  known: Table,
  wanted: Pick<WantedTarget, "timestamp" | "target">,
  { grid, panel: { panel, chosen } }: ToSum,
): KnownTarget | null {
  if (known.rowCount === 0) return null;
  const step = stepOf(grid);
  const placeOfStep = new Map(Array.from(panel.times, (time, place) => [step(time), place]));
  const placeOfKey = new Map(panel.values.map((_, place) => [seriesKey(keyValues(panel, place)), place]));
  const width = panel.times.length;
  // Cells of a chosen series at a time whose actual is not found yet, and their number at each time.
  const awaited = new Set<number>();
  const missing = new Int32Array(width).fill(-1);
  for (let row = 0; row < panel.ofRow.length; row++) {
    const [place, time] = [panel.ofRow[row]!, panel.timeOf[row]!];
    if (chosen !== null && chosen[place] === 0) continue;
    awaited.add(place * width + time);
    missing[time] = Math.max(0, missing[time]!) + 1;
  }
  const index = indexSeries(known, panel.columns.slice(0, panel.keys));
  const places = index.values.map((values) => placeOfKey.get(seriesKey(values)) ?? -1);
  const times = numericValues(known, wanted.timestamp);
  const values = numericValues(known, wanted.target);
  const sums = new Float64Array(width);
  for (let row = 0; row < known.rowCount; row++) {
    const place = places[index.ofRow[row]!]!;
    const time = placeOfStep.get(step(times[row]!));
    if (place === -1 || time === undefined || !awaited.delete(place * width + time)) continue;
    sums[time]! += values[row]!;
    missing[time]!--;
  }
  const shown = Int32Array.from(sums.keys()).filter((time) => missing[time] === 0);
  if (shown.length === 0) return null;
  const column = (name: string, type: "timestamp" | "number", all: Float64Array) =>
    ({ name, type, values: Float64Array.from(shown, (time) => all[time]!) }) as const;
  const columns = [column(wanted.timestamp, "timestamp", panel.times), column(wanted.target, "number", sums)];
  const { timestamp, target } = wanted;
  return { known: { rowCount: shown.length, columns }, timestamp, target, grid };
}
