import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { buildFeatures } from "#lib/engine/features/build-features";
import { predictLinear } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { findOutliers } from "#lib/engine/series-methods/outliers";
import { isIntermittent } from "#lib/engine/series-methods/tsb";
import { numericValues, withColumn } from "#lib/engine/table/columns";
import type { CandidateContext, DroppedRow } from "./candidate.ts";
import { type InputsContext, inputsPipeline } from "./inputs-pipeline.ts";
import { seasonLengths } from "./seasonality.ts";

/** More inputs are not regressed on: the penalty would explain any value by some of them. */
const INPUTS_MAX = 1_000;
/** Part of an input's range by which a value may exceed it and still count as seen. */
const BEYOND = 0.1;

type Given = InputsContext & Pick<CandidateContext, "known">;

/** Returns the rows of a series with inputs that no candidate shall learn from. */
export function droppedRows(given: Given, request: TrainModel): DroppedRow[] {
  const { data, timestamp } = given;
  return contradictingRows(given, request).map((row) => ({
    number: data.rowNumbers[row]!,
    value: data.targets[row]!,
    time: numericValues(data.table, timestamp!)[row]!,
  }));
}

/** Returns the table without the targets of dropped rows. */
export function withoutTargets(table: Table, target: string, dropped: readonly DroppedRow[]): Table {
  const values = numericValues(table, target).slice();
  for (const { number } of dropped) values[number - 1] = Number.NaN;
  return withColumn(table, { name: target, type: "number", values });
}

/**
 * Returns the rows, from 0, of a series with inputs whose target contradicts all others, such as a typing error. The inputs may
 * explain a value that contradicts the others of the series. So it must also contradict what a regression on the inputs,
 * fitted to the other rows, leaves. A row with an input that no other row has, as the only promotion, is believed.
 */
function contradictingRows(context: Given, { outliers }: TrainModel): number[] {
  const { data, known } = context;
  const { table, grid, inputs, targets } = data;
  if (known === null || grid === null || outliers === "keep") return [];
  if (inputs.length === 0 || inputs.length > INPUTS_MAX || isIntermittent(known.observed)) return [];
  const [season = 1] = seasonLengths(grid.frequency);
  // The inputs may explain heavy tails, so these are suspected too.
  const rows = new Set(findOutliers(known.observed, season, false).map((at) => known.rowAt[at]!));
  if (rows.size === 0) return [];
  const others = Int32Array.from(targets.keys()).filter((row) => !rows.has(row));
  const { columns, sources } = buildFeatures(inputsPipeline(context), table);
  const learned = columns.map((column) => valuesAt(column, others));
  const ofInputs = columns.flatMap((column, i) =>
    inputs.includes(sources[i]!) ? [{ column, range: rangeOf(learned[i]!) }] : [],
  );
  const isSeen = (row: number) =>
    ofInputs.every(({ column, range: [least, most] }) => {
      const margin = BEYOND * (most - least);
      return column[row]! >= least - margin && column[row]! <= most + margin;
    });
  const compared = known.rowAt.map((row) => (rows.has(row) && !isSeen(row) ? -1 : row));
  const scales = targets.every((value) => value > 0) ? [targets, targets.map(Math.log)] : [targets];
  const found = scales.map((values) => {
    const predicted = predictLinear(trainRidge(learned, valuesAt(values, others)), columns);
    const remainder = Float64Array.from(compared, (row) =>
      row < 0 ? Number.NaN : values[row]! - predicted[row]!,
    );
    return new Set(findOutliers(remainder, season).map((at) => compared[at]!));
  });
  return [...rows].filter((row) => found.every((some) => some.has(row)));
}

const valuesAt = <T extends Float32Array | Float64Array>(values: T, rows: Int32Array): T => {
  const some = values.slice(0, rows.length) as T;
  rows.forEach((row, at) => {
    some[at] = values[row]!;
  });
  return some;
};

const rangeOf = (values: Float32Array): [number, number] => [
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
];
