import { isAscending } from "#lib/engine/series/align";
import { rowsBetween } from "#lib/engine/series/window";

// A person replaces or moves predictions of a span. Overrides apply in order, each to the result of those before it:
//
// | row | calculated | add 10 to rows 1–2 | set row 2 to 50 | multiply rows 1–2 by 2 |
// | --- | --- | --- | --- | --- |
// | 1 | 20 [15, 25] | 30 [25, 35] | 30 [25, 35] | 60 [50, 70] |
// | 2 | 40 [30, 50] | 50 [40, 60] | 50, no bounds | 100, no bounds |
//
// `add` and `multiply` move the interval, because the model is as uncertain as before. A value that is set has no bounds, because
// no model measured how sure the person is.

/** An override of the predictions from one time to another, both inclusive (epoch milliseconds). */
export type SpanOverride = {
  from: number;
  to: number;
  operation: "set" | "add" | "multiply";
  /** Not negative for `multiply`, so that bounds keep their order. */
  value: number;
  /** Marks the series of a panel that it changes with 1; null: all rows. */
  ofSeries: Uint8Array | null;
};

/** Time of each row, and its series in a panel. */
export type PlacedRows = { timestamps: Float64Array; seriesOf: Int32Array | null };

/** Bounds of each row. `floors`: least value that a bound can have; see `overrideBounds`. */
type RowBounds = { lower: Float64Array | null; upper: Float64Array | null; floors?: Float64Array };

/** Returns effective predictions. NaN (no value) stays, unless it is set. */
export function overridePredictions(
  prediction: Float64Array,
  rows: PlacedRows,
  overrides: readonly SpanOverride[],
): Float64Array {
  return changed(prediction, rows, overrides, ({ value }) => value);
}

/**
 * Returns effective bounds at 90%; NaN where a value is set. `floors` moves with the bounds: it holds the least possible value of each
 * row (negative infinity without a limit), or the value of a row that is set. It is NaN for rows without bounds that are not set.
 *
 * @param floor least value of the target; null without a limit
 */
export function overrideBounds(
  { lower, upper }: RowBounds,
  rows: PlacedRows,
  overrides: readonly SpanOverride[],
  floor: number | null,
): RowBounds {
  if (lower === null || upper === null) return { lower, upper };
  const least = floor ?? Number.NEGATIVE_INFINITY;
  const none = () => Number.NaN;
  return {
    lower: changed(lower, rows, overrides, none),
    upper: changed(upper, rows, overrides, none),
    floors: changed(
      upper.map((bound) => (Number.isNaN(bound) ? Number.NaN : least)),
      rows,
      overrides,
      ({ value }) => value,
    ),
  };
}

/** Returns the position of the last override that applies to each row, or -1. */
export function overridesOfRows(rows: PlacedRows, overrides: readonly SpanOverride[]): Int32Array {
  const last = new Int32Array(rows.timestamps.length).fill(-1);
  eachRow(rows, overrides, (row, _, position) => {
    last[row] = position;
  });
  return last;
}

/** Copies values to shared memory, so that threads can read them, and changes them. @param set value of a row that is set */
function changed(
  values: Float64Array,
  rows: PlacedRows,
  overrides: readonly SpanOverride[],
  set: (override: SpanOverride) => number,
): Float64Array {
  const result = new Float64Array(new SharedArrayBuffer(values.byteLength));
  result.set(values);
  eachRow(rows, overrides, (row, override) => {
    const before = result[row]!;
    if (override.operation === "set") result[row] = set(override);
    else if (override.operation === "add") result[row] = before + override.value;
    // Negative infinity times 0 is no number, but a prediction times 0 has the bounds 0.
    else
      result[row] = before === Number.NEGATIVE_INFINITY && override.value === 0 ? 0 : before * override.value;
  });
  return result;
}

function eachRow(
  { timestamps, seriesOf }: PlacedRows,
  overrides: readonly SpanOverride[],
  visit: (row: number, override: SpanOverride, position: number) => void,
): void {
  const isOrdered = isAscending(timestamps);
  for (const [position, override] of overrides.entries()) {
    const { from, to, ofSeries } = override;
    const { start, end } = isOrdered
      ? rowsBetween(timestamps, timestamps.length, from, to)
      : { start: 0, end: timestamps.length };
    for (let row = start; row < end; row++) {
      if (!(timestamps[row]! >= from && timestamps[row]! <= to)) continue;
      // Without series, no row meets a condition on them.
      if (ofSeries !== null && (seriesOf === null || ofSeries[seriesOf[row]!] !== 1)) continue;
      visit(row, override, position);
    }
  }
}
