import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import type { Predicted, StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { align, gather } from "#lib/engine/series/align";
import type { CutAxis } from "#lib/engine/series/cut-axis";

/** A contiguous stretch of points of a comparison. */
export type ComparedStretch = {
  /** Epoch milliseconds, or row numbers from 1. */
  points: Float64Array;
  /**
   * Predictions of each scenario at each point; NaN where the scenario has no row. Bounds are null if the scenario has no
   * bounds in the stretch.
   */
  predicted: Predicted[];
  /** Actual value at each point; NaN if unknown. Null if no actual value is known in the stretch. */
  actual: Float64Array | null;
};

/**
 * Reads stored series of a scenario, given by its index: of a range of rows, or of the listed rows in any order. Times are
 * requested only once for all scenarios that share them.
 */
type ReadRows = (scenario: number, rows: Rows | Int32Array, isTimed: boolean) => Promise<StoredSeries>;

/**
 * Yields aligned scenarios, one stretch of their axis at a time. Only that stretch is in memory.
 *
 * @param actuals known values of the target; null if none is known or if the points are rows
 * @throws the errors of `read`
 */
export async function* comparedStretches(
  { isTimed, orderOf, orders, cuts }: CutAxis,
  actuals: KnownTarget | null,
  read: ReadRows,
): AsyncGenerator<ComparedStretch> {
  const firstOf = orders.map((_, index) => orderOf.indexOf(index));
  for (const [at, ends] of cuts.slice(1).entries()) {
    const starts = cuts[at]!;
    const counts = orders.map((_, index) => ends[index]! - starts[index]!);
    const stored = await Promise.all(
      orderOf.map((index, scenario) => {
        if (counts[index] === 0) return noRows;
        const [from, to] = [starts[index]!, ends[index]!];
        const rows = orders[index]?.subarray(from, to) ?? { from, to };
        return read(scenario, rows, isTimed && firstOf[index] === scenario);
      }),
    );
    const { timestamps, length, rowOf, isPlain } = align(
      firstOf.map((scenario, index) => ({
        rowCount: counts[index]!,
        timestamps: isTimed ? stored[scenario]!.timestamps : null,
      })),
    );
    const alignedTo = (rows: Int32Array) => (values: Float64Array) =>
      isPlain ? values : gather(values, rows);
    const firstRow = Math.max(...starts) + 1;
    yield {
      points: timestamps ?? Float64Array.from({ length }, (_, index) => firstRow + index),
      predicted: stored.map((one, scenario) => eachSeries(one, alignedTo(rowOf[orderOf[scenario]!]!))),
      actual: actuals && timestamps && actualsAmong(actuals, timestamps),
    };
  }
}

const none = new Float64Array(0);
const noRows: StoredSeries = { timestamps: none, prediction: none, lower: null, upper: null };

function eachSeries(
  { prediction, lower, upper, floors }: Predicted,
  change: (values: Float64Array) => Float64Array,
): Predicted {
  return {
    prediction: change(prediction),
    lower: lower && change(lower),
    upper: upper && change(upper),
    ...(floors && { floors: change(floors) }),
  };
}
