import type { Sensitivity, SensitivityFeature } from "#lib/contract/sensitivity";
import type { Table } from "#lib/contract/table";
import { presentValues } from "#lib/engine/features/statistics";
import type { InputAdjustment } from "#lib/engine/inference/adjustments";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { findColumn } from "#lib/engine/table/columns";

/** Change of numeric inputs: 10% of each value, one standard deviation of the training data, or its range. */
export type InputChange = Sensitivity["change"];

/** A change of one feature in all rows of a span. */
export type FeatureChange = Pick<InputAdjustment, "feature" | "operation" | "value">;

/** Distribution of the known training rows, in bins of equal width. */
export type Density = NonNullable<SensitivityFeature["density"]>;

/** Categories that are tried, most frequent first. */
const CATEGORIES_MAX = 20;
const CURVE_POINTS = 25;
const BINS = 40;
const PERCENT = 0.1;

/**
 * Returns the changes of a feature. `change` applies to numbers; booleans and categories are set to each value of the
 * training data, and so are numbers that are only 0 and 1. Empty if the training data does not define the change.
 *
 * @param training training rows that the model keeps
 */
export function changesOf(input: InputFeature, change: InputChange, training: Table | null): FeatureChange[] {
  const { name: feature, type, min, max, categories } = input;
  const set = (value: FeatureChange["value"]) => ({ feature, operation: "set" as const, value });
  if (type === "timestamp") return [];
  if (type === "category") return (categories ?? []).slice(0, CATEGORIES_MAX).map(set);
  if (type === "boolean") return [false, true].filter((value) => isWithin(input, Number(value))).map(set);
  const known = trainingValues(input, training);
  if (known.length > 0 && known.every((value) => value === 0 || value === 1))
    return [...new Set(known)].sort().map(set);
  if (change === "percent")
    return [1 - PERCENT, 1 + PERCENT].map((value) => ({ feature, operation: "multiply", value }));
  if (change === "range") return min === null || max === null ? [] : [...new Set([min, max])].map(set);
  const deviation = deviationOf(known);
  return deviation > 0 ? [-deviation, deviation].map((value) => ({ feature, operation: "add", value })) : [];
}

/** Returns the values of a response curve, ascending, in equal steps: all whole numbers if the known values are few of them. */
export function curveValues(input: InputFeature, training: Table | null): number[] {
  const { type, min, max } = input;
  if (type !== "number" || min === null || max === null) return [];
  if (min === max) return [min];
  const known = trainingValues(input, training);
  const isWhole = known.length > 0 && known.every(Number.isInteger) && max - min < CURVE_POINTS;
  const count = isWhole ? max - min + 1 : CURVE_POINTS;
  return Array.from({ length: count }, (_, at) =>
    at === count - 1 ? max : min + ((max - min) * at) / (count - 1),
  );
}

/** Returns the distribution of a numeric feature; null without known training rows. */
export function densityOf(input: InputFeature, training: Table | null): Density | null {
  const { type, min, max } = input;
  const values = type === "number" ? trainingValues(input, training) : [];
  if (min === null || max === null || values.length === 0) return null;
  const counts = new Array<number>(min === max ? 1 : BINS).fill(0);
  for (const value of values) {
    const bin = min === max ? 0 : Math.floor(((value - min) / (max - min)) * BINS);
    counts[Math.min(counts.length - 1, Math.max(0, bin))]! += 1;
  }
  return { from: min, to: max, counts };
}

/** Counts the known training rows with a boolean or a category; null for other changes and without such rows. */
export function rowsWith(
  { feature, operation, value }: FeatureChange,
  training: Table | null,
): number | null {
  const column = training && findColumn(training, feature);
  if (!column || operation !== "set" || typeof value === "number") return null;
  const cells = column.type === "category" ? column.codes : column.values;
  const newValue = column.type === "category" ? column.categories.indexOf(String(value)) : Number(value);
  let count = 0;
  for (const cell of cells) if (cell >= 0 && cell === newValue) count++;
  return count;
}

function trainingValues({ name }: InputFeature, training: Table | null): Float64Array {
  const column = training && findColumn(training, name);
  return column?.type === "number" ? presentValues(column.values) : new Float64Array();
}

function deviationOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : Number.NaN;
}

const isWithin = ({ min, max }: InputFeature, value: number) =>
  (min === null || value >= min) && (max === null || value <= max);
