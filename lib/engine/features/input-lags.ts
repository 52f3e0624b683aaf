import type { NumericColumn, Table } from "#lib/contract/table";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { gridIndexes } from "./build-features.ts";
import { columnOf, type FeaturePipeline, isLagged, type LaggedStep } from "./pipeline.ts";
import { bridgingGaps } from "./target-history.ts";

/** Rows of a series before the table's rows: `rowAt` is the row of each grid cell from `firstIndex` on, -1 without a row. */
type EarlierRows = { table: Table; firstIndex: number; rowAt: Int32Array };

/** Share of the weight of an old value below which a decaying mean leaves it out. */
const NEGLIGIBLE = 0.05;

/**
 * Adds the lagged columns that the pipeline reads, so that features are computed row by row as without lags. The value of a
 * step comes from the table's row of that step, or else from the row that is known. In a gap, the newest value before it is
 * used; before all rows, the row's own value.
 *
 * For example, with a decay of .5, inputs of 8, 4 and 2 give the mean 2 × .5 + 4 × .25 + 8 × .125 + …, where earlier values
 * count as the newest of them.
 */
export function withInputLags(pipeline: FeaturePipeline, table: Table, known: EarlierRows | null): Table {
  const steps = pipeline.steps.filter(isLagged);
  if (steps.length === 0) return table;
  const indexes = gridIndexes(pipeline, table);
  const rowOf = new Map(Array.from(indexes, (index, row) => [index, row]));
  const columns = steps.map((step): NumericColumn => {
    const own = numericValues(table, step.feature);
    const earlier =
      known && findColumn(known.table, step.feature) && numericValues(known.table, step.feature);
    const read = bridgingGaps((index) => {
      const row = rowOf.get(index);
      if (row !== undefined && !Number.isNaN(own[row]!)) return own[row]!;
      const before = known?.rowAt[index - known.firstIndex] ?? -1;
      return before >= 0 && earlier ? earlier[before]! : Number.NaN;
    });
    return { name: columnOf(step), type: "number", values: lagged(step, own, indexes, read) };
  });
  return { ...table, columns: [...table.columns, ...columns] };
}

/** Number of steps back to the last value with a weight that is not negligible. */
const reachOf = ({ past }: LaggedStep) =>
  "steps" in past ? past.steps : Math.ceil(Math.log(NEGLIGIBLE) / Math.log(past.decay));

/** Returns the number of earlier rows whose inputs a row's features depend on. */
export const inputReach = ({ steps }: FeaturePipeline) => Math.max(0, ...steps.filter(isLagged).map(reachOf));

function lagged(
  step: LaggedStep,
  own: Float64Array,
  indexes: Float64Array,
  read: (index: number) => number,
): Float64Array {
  const at = (row: number, steps: number) => {
    const value = read(indexes[row]! - steps);
    return Number.isNaN(value) ? own[row]! : value;
  };
  const { past } = step;
  if ("steps" in past) return own.map((_, row) => at(row, past.steps));
  const { decay } = past;
  const reach = reachOf(step);
  return own.map((_, row) => {
    let sum = 0;
    let weights = 0;
    for (let back = 0, weight = 1; back <= reach; back++, weight *= decay) {
      sum += weight * at(row, back);
      weights += weight;
    }
    return sum / weights;
  });
}
