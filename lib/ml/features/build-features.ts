import type { Table } from "#lib/contract/table";
import { numericValues, requireColumn } from "#lib/ml/table/columns";
import { calendarValues, FIELD_CYCLE } from "./calendar.ts";
import { createGrid } from "./grid.ts";
import type { FeaturePipeline, FeatureStep } from "./pipeline.ts";
import { rollingStatistic } from "./rolling.ts";
import { type TargetHistory, targetReader } from "./target-history.ts";

/** Model inputs: `columns[i]` is called `names[i]` and comes from the input feature `sources[i]`. */
export type FeatureMatrix = { names: string[]; sources: string[]; columns: Float32Array[] };

type Output = { name: string; source: string; values: Float32Array };
type Imputation = Extract<FeatureStep, { op: "impute" }>;

/**
 * Turns input rows into model inputs: the one way to do it, for training, scenarios and predictions alike.
 * Pure, and each row's numbers depend on that row and the history alone, so that a batch and its rows one by one
 * agree to the bit. Needs `history` where the pipeline looks back at the target.
 * Throws a RangeError if the table lacks a column or has it in another type (see `checkInput`).
 */
export function buildFeatures(
  pipeline: FeaturePipeline,
  table: Table,
  history?: TargetHistory,
): FeatureMatrix {
  const imputations = new Map<string, Imputation>();
  for (const step of pipeline.steps) if (step.op === "impute") imputations.set(step.feature, step);
  const rowIndexes = memo(() => gridIndexes(pipeline, table));
  const outputs: Output[] = [];
  for (const step of pipeline.steps) {
    outputs.push(...stepOutputs(step, { pipeline, table, history, imputations, rowIndexes }));
  }
  return {
    names: outputs.map(({ name }) => name),
    sources: outputs.map(({ source }) => source),
    columns: outputs.map(({ values }) => values),
  };
}

type Context = {
  pipeline: FeaturePipeline;
  table: Table;
  history: TargetHistory | undefined;
  imputations: Map<string, Imputation>;
  rowIndexes: () => Float64Array;
};

function stepOutputs(step: FeatureStep, context: Context): Output[] {
  const { pipeline, table, history, imputations, rowIndexes } = context;
  switch (step.op) {
    case "impute":
      return [];
    case "number":
      return [numberOutput(table, step.feature, step.scale, imputations.get(step.feature)?.value ?? null)];
    case "upstream":
      return [numberOutput(table, step.feature, 1, step.fill)];
    case "ordinal":
      return [ordinalOutput(table, step.feature, step.categories)];
    case "onehot":
      return onehotOutputs(table, step.feature, step.categories);
    case "calendar":
      return calendarOutputs(pipeline, table, step);
    case "trend": {
      const instants = numericValues(table, pipeline.timestamp!);
      const values = Float32Array.from(instants, (instant) => (instant - step.start) / step.unitMs);
      return [{ name: "trend", source: pipeline.timestamp!, values }];
    }
    case "lag": {
      const reader = targetReader(requireHistory(history, step.op));
      const values = Float32Array.from(rowIndexes(), (index) =>
        filled(reader(index)(index - step.steps), step.fill),
      );
      return [{ name: `${pipeline.target} lag ${step.steps}`, source: pipeline.target, values }];
    }
    case "rolling": {
      const values = rollingValues(rowIndexes(), requireHistory(history, step.op), step);
      const name = `${pipeline.target} ${step.statistic} of ${step.window}, lag ${step.shift}`;
      return [{ name, source: pipeline.target, values }];
    }
  }
}

/** The grid index of each row's timestamp; NaN without a grid. */
export function gridIndexes(pipeline: FeaturePipeline, table: Table): Float64Array {
  if (!pipeline.grid || !pipeline.timestamp) return new Float64Array(table.rowCount).fill(Number.NaN);
  return numericValues(table, pipeline.timestamp).map(createGrid(pipeline.grid).indexOf);
}

function numberOutput(table: Table, feature: string, scale: number, fill: number | null): Output {
  const source = numericValues(table, feature);
  const values = new Float32Array(source.length);
  for (let i = 0; i < source.length; i++) values[i] = filled(source[i]!, fill) * scale;
  return { name: feature, source: feature, values };
}

/** Position of the category in the fitted order; NaN for a missing or unseen one. */
function ordinalOutput(table: Table, feature: string, categories: readonly string[]): Output {
  const values = Float32Array.from(fittedCodes(table, feature, categories), (code) =>
    code < 0 ? Number.NaN : code,
  );
  return { name: feature, source: feature, values };
}

/** One 0/1 column a category; a missing or unseen one is 0 in all of them. */
function onehotOutputs(table: Table, feature: string, categories: readonly string[]): Output[] {
  const columns = indicators(fittedCodes(table, feature, categories), categories.length);
  return columns.map((values, code) => ({
    name: `${feature} = ${categories[code]}`,
    source: feature,
    values,
  }));
}

/** One column a place, 1 in the rows whose place it is; a place out of range is in none. */
function indicators(places: Int32Array, count: number): Float32Array[] {
  const columns = Array.from({ length: count }, () => new Float32Array(places.length));
  for (let row = 0; row < places.length; row++) {
    const column = columns[places[row]!];
    if (column) column[row] = 1;
  }
  return columns;
}

function fittedCodes(table: Table, feature: string, categories: readonly string[]): Int32Array {
  const column = requireColumn(table, feature);
  if (column.type !== "category") throw new RangeError(`Column "${feature}" must hold categories.`);
  const position = new Map(categories.map((category, code) => [category, code]));
  const recoded = column.categories.map((category) => position.get(category) ?? -1);
  return column.codes.map((code) => (code < 0 ? -1 : recoded[code]!));
}

function calendarOutputs(
  pipeline: FeaturePipeline,
  table: Table,
  step: Extract<FeatureStep, { op: "calendar" }>,
): Output[] {
  const source = pipeline.timestamp!;
  const values = calendarValues(numericValues(table, source), step.field, pipeline.timezone);
  if (step.encoding === "cyclic") {
    return Array.from({ length: step.harmonics }, (_, i) => i + 1).flatMap((harmonic) => {
      const turn = (2 * Math.PI * harmonic) / step.period;
      const wave = (name: string, of: (angle: number) => number): Output => ({
        name: `${step.field} ${name} ${harmonic}`,
        source,
        values: Float32Array.from(values, (value) => of(turn * value)),
      });
      return [wave("sin", Math.sin), wave("cos", Math.cos)];
    });
  }
  if (step.encoding === "number") return [{ name: step.field, source, values: Float32Array.from(values) }];
  if (step.field === "year")
    throw new RangeError("A year does not come round again: it has no one-hot form.");
  const { first, count } = FIELD_CYCLE[step.field];
  const places = Int32Array.from(values, (value) => (Number.isNaN(value) ? -1 : value - first));
  return indicators(places, count).map((column, place) => ({
    name: `${step.field} = ${first + place}`,
    source,
    values: column,
  }));
}

function rollingValues(
  rowIndexes: Float64Array,
  history: TargetHistory,
  step: Extract<FeatureStep, { op: "rolling" }>,
): Float32Array {
  const reader = targetReader(history);
  const window = new Float64Array(step.window);
  return Float32Array.from(rowIndexes, (index) => {
    const read = reader(index);
    const first = index - step.shift - step.window + 1;
    // Summed anew for each row: a running sum would make a row's bits depend on the rows before it.
    for (let i = 0; i < step.window; i++) window[i] = read(first + i);
    return filled(rollingStatistic(window, step.statistic), step.fill);
  });
}

function filled(value: number, fill: number | null): number {
  return Number.isNaN(value) && fill !== null ? fill : value;
}

function requireHistory(history: TargetHistory | undefined, op: string): TargetHistory {
  if (!history) throw new RangeError(`A ${op} feature needs the history of the target.`);
  return history;
}

function memo<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Columns that the pipeline reads from its input, the timestamp included where a step needs it. */
export function requiredColumns(pipeline: FeaturePipeline): string[] {
  const names = new Set<string>();
  for (const step of pipeline.steps) {
    if ("feature" in step) names.add(step.feature);
    else if (pipeline.timestamp) names.add(pipeline.timestamp);
  }
  return [...names];
}
