import type { IntervalShape } from "#lib/contract/interval-shape";
import { seriesSumWidth } from "#lib/engine/intervals/series-total";
import type { PanelRows } from "./panel-rows.ts";
import { sumGroups } from "./sum-series.ts";

type Rows = { prediction: Float64Array; upper: Float64Array; floors?: Float64Array | undefined };
type Bounds = { lower: Float64Array; upper: Float64Array };

/**
 * Returns the bounds at 90% of the sums of each group at the given times, from the half widths of their rows and the correlation of
 * the errors of series. NaN where a group has no value.
 *
 * @param rows predictions and upper bounds of all rows of the panel, and their least values if it has overrides. A row that an
 *   override sets adds no width
 * @returns null if the correlation is not known
 */
export function sumBounds(
  panel: PanelRows,
  { prediction, upper, floors }: Rows,
  groupOf: Int32Array,
  { count, places, shape }: { count: number; places: Int32Array; shape: IntervalShape | null },
): Bounds[] | null {
  const shared = shape?.sharedBySeries;
  if (shape === null || shared === undefined) return null;
  const groups = { count, places };
  const sum = (values: Float64Array) => sumGroups(panel, values, groupOf, groups);
  const widths = prediction.map((value, row) => upper[row]! - value);
  const [sums, ofWidths, ofSquares] = [sum(prediction), sum(widths), sum(widths.map((width) => width ** 2))];
  const { floor } = shape;
  const leasts =
    floor === null ? null : sum(floors ?? widths.map((width) => (Number.isNaN(width) ? width : floor)));
  return sums.map((values, group) => {
    const half = values.map((_, at) =>
      seriesSumWidth({ widths: ofWidths[group]![at]!, squares: ofSquares[group]![at]! }, shared),
    );
    const least = leasts?.[group];
    return {
      lower: values.map((value, at) => Math.max(value - half[at]!, least?.[at] ?? Number.NEGATIVE_INFINITY)),
      upper: values.map((value, at) => value + half[at]!),
    };
  });
}
