import type { Table } from "#lib/contract/table";
import { numericValues } from "#lib/engine/table/columns";
import {
  combineOutput,
  encodeTarget,
  type Fills,
  numberOutput,
  onehotOutputs,
  ordinalOutput,
} from "./column-outputs.ts";
import { createGrid } from "./grid.ts";
import type { Output } from "./output.ts";
import { columnOf, type FeaturePipeline, type FeatureStep } from "./pipeline.ts";
import type { TargetHistory } from "./target-history.ts";
import { differenceOutput, lagOutput, rollingOutput, type TargetPast } from "./target-outputs.ts";
import { calendarOutputs, holidayOutputs, type RowTimes, trendOutput } from "./time-outputs.ts";

/** Model inputs. `columns[i]` has the name `names[i]` and derives from the input feature `sources[i]`. */
export type FeatureMatrix = { names: string[]; sources: string[]; columns: Float32Array[] };

/**
 * Converts input rows to model inputs, in the same way for training, scenarios and predictions. Pure: each row's
 * values depend only on that row and the history, so a batch and its single rows agree to the bit.
 *
 * @param history required if the pipeline reads past values of the target
 * @throws {RangeError} if the table lacks a column or has it with another type (see `checkInput`)
 */
export function buildFeatures(
  pipeline: FeaturePipeline,
  table: Table,
  history?: TargetHistory,
  /** Evaluates target encodings. Only `trainingFeatures` overrides the default. */
  encode = encodeTarget,
): FeatureMatrix {
  const fills = new Map<string, number | null>();
  for (const step of pipeline.steps) if (step.op === "impute") fills.set(step.feature, step.value);
  const rowIndexes = memo(() => gridIndexes(pipeline, table));
  const context: Context = {
    table,
    fills,
    encode,
    times: () => ({
      source: pipeline.timestamp!,
      instants: numericValues(table, pipeline.timestamp!),
      timezone: pipeline.timezone,
    }),
    past: () => {
      if (!history) throw new RangeError("The features require the target's history.");
      return { target: pipeline.target, history, rowIndexes: rowIndexes() };
    },
  };
  const outputs = pipeline.steps.flatMap((step) => stepOutputs(step, context));
  return {
    names: outputs.map(({ name }) => name),
    sources: outputs.map(({ source }) => source),
    columns: outputs.map(({ values }) => values),
  };
}

type Context = {
  table: Table;
  fills: Fills;
  encode: typeof encodeTarget;
  times: () => RowTimes;
  past: () => TargetPast;
};

function stepOutputs(step: FeatureStep, { table, fills, encode, times, past }: Context): Output[] {
  switch (step.op) {
    case "impute":
      return [];
    case "number": {
      const { scale, center, log } = step;
      const fill = fills.get(step.feature) ?? null;
      return [{ ...numberOutput(table, columnOf(step), { scale, center, log, fill }), source: step.feature }];
    }
    case "upstream":
      return [numberOutput(table, step.feature, step)];
    case "ordinal":
      return [ordinalOutput(table, step)];
    case "onehot":
      return onehotOutputs(table, step);
    case "targetEncoding":
      return [{ name: `${step.feature} mean target`, source: step.feature, values: encode(table, step) }];
    case "combine":
      return [combineOutput(table, step, fills)];
    case "calendar":
      return calendarOutputs(times(), step);
    case "holiday":
      return holidayOutputs(times(), step);
    case "trend":
      return [trendOutput(times(), step)];
    case "lag":
      return [lagOutput(past(), step)];
    case "rolling":
      return [rollingOutput(past(), step)];
    case "difference":
      return [differenceOutput(past(), step)];
  }
}

/** Returns the grid index of each row's timestamp, NaN without a grid. */
export function gridIndexes(pipeline: FeaturePipeline, table: Table): Float64Array {
  if (!pipeline.grid || !pipeline.timestamp) return new Float64Array(table.rowCount).fill(Number.NaN);
  return numericValues(table, pipeline.timestamp).map(createGrid(pipeline.grid).indexOf);
}

/** Returns the columns that the pipeline reads, including the timestamp if a step needs it. */
export function requiredColumns(pipeline: FeaturePipeline): string[] {
  const names = new Set<string>();
  for (const step of pipeline.steps) {
    if (step.op === "combine") names.add(step.other);
    if ("feature" in step) names.add(step.feature);
    else if (pipeline.timestamp) names.add(pipeline.timestamp);
  }
  return [...names];
}

function memo<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
