import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import type { Predicted, StoredSeries } from "#lib/domain/scenarios/predictions/read-predictions";
import type { Rows } from "#lib/domain/scenarios/predictions/read-series";
import { align, gather } from "#lib/engine/series/align";
import type { CutAxis } from "#lib/engine/series/cut-axis";

/** Some neighbouring points of a comparison. */
export type ComparedStretch = {
  /** Epoch milliseconds, or row numbers from 1. */
  points: Float64Array;
  /** Of each scenario at each point; NaN where it has no row. Bounds are null where it has none at all of them. */
  predicted: Predicted[];
  /** What was at each point, NaN where that is not known; null where none of it is. */
  actual: Float64Array | null;
};

/**
 * What is stored of some rows of a scenario, by its number: of those from `from` to `to`, or of these in any order. Times are
 * asked for once for all scenarios that have the same.
 */
type ReadRows = (scenario: number, rows: Rows | Int32Array, isTimed: boolean) => Promise<StoredSeries>;

/**
 * Scenarios side by side, a stretch of their axis at a time: nothing but that is in memory.
 *
 * @param actuals what is known of what they predict; null where nothing is, or points are rows
 * @throws what `read` throws
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
  { prediction, lower, upper }: Predicted,
  change: (values: Float64Array) => Float64Array,
): Predicted {
  return { prediction: change(prediction), lower: lower && change(lower), upper: upper && change(upper) };
}
