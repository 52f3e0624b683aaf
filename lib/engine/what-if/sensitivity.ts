import type { Table } from "#lib/contract/table";
import { presentValues } from "#lib/engine/features/statistics";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { summarize } from "#lib/engine/series/summary";
import { findColumn } from "#lib/engine/table/columns";
import {
  changesOf,
  curveValues,
  type Density,
  densityOf,
  type FeatureChange,
  type InputChange,
  rowsWith,
} from "./input-changes.ts";
import { measuredRows, type TriedRows } from "./tried-rows.ts";

/** Changes of the inputs to try. */
type Trials = {
  features: readonly InputFeature[];
  change: InputChange;
  withCurves: boolean;
  /** Training rows that the model keeps. */
  training: Table | null;
};

type Sensitivities = {
  /** Mean prediction of the measured rows; null without predictions. */
  mean: number | null;
  features: {
    feature: InputFeature;
    effects: { change: FeatureChange; meanDifference: number | null; trainingRows: number | null }[];
    values: { min: number; max: number; mean: number } | null;
    curve: { values: number[]; means: (number | null)[] } | null;
    density: Density | null;
  }[];
};

/** Returns the number of times that `sensitivities` predicts the rows. */
export function countTrials({ features, change, withCurves, training }: Trials): number {
  return features.reduce(
    (count, input) =>
      count +
      changesOf(input, change, training).length +
      (withCurves ? curveValues(input, training).length : 0),
    1, // The prediction without a change.
  );
}

/**
 * Measures the effect of each input on the mean prediction: changes one input after the other in all measured rows, as
 * an adjustment of a what-if scenario does, and predicts again. If rows build on each other, later rows include the
 * effects on earlier ones.
 *
 * @param predict predicts a table with the columns and rows of `rows.table`
 * @returns features in the order of their largest effect
 */
export async function sensitivities(
  predict: (table: Table) => Promise<Float64Array>,
  rows: TriedRows,
  { features, change, withCurves, training }: Trials,
): Promise<Sensitivities> {
  const measured = measuredRows(rows);
  const meanOf = async (table: Table) => {
    const predictions = await predict(table);
    return summarize(Float64Array.from(measured, (row) => predictions[row]!)).mean;
  };
  const mean = await meanOf(rows.table);
  const meanAfter = async (tried: FeatureChange) => {
    const { table, timestamp, ...span } = rows;
    const adjusted = applyAdjustments(table, [{ ...tried, ...span }], timestamp);
    return adjusted.ok ? meanOf(adjusted.table) : null;
  };
  const measuredFeatures: Sensitivities["features"] = [];
  for (const feature of features) {
    const effects = [];
    for (const tried of changesOf(feature, change, training)) {
      const after = await meanAfter(tried);
      const meanDifference = after === null || mean === null ? null : after - mean;
      effects.push({ change: tried, meanDifference, trainingRows: rowsWith(tried, training) });
    }
    const values = withCurves ? curveValues(feature, training) : [];
    const means: (number | null)[] = [];
    for (const value of values)
      means.push(await meanAfter({ feature: feature.name, operation: "set", value }));
    measuredFeatures.push({
      feature,
      effects,
      values: valuesOf(rows.table, measured, feature),
      curve: values.length > 0 ? { values, means } : null,
      density: withCurves ? densityOf(feature, training) : null,
    });
  }
  return { mean, features: measuredFeatures.sort((a, b) => swing(b.effects) - swing(a.effects)) };
}

function valuesOf(table: Table, measured: Int32Array, { name, type }: InputFeature) {
  const column = findColumn(table, name);
  if (type !== "number" || column === undefined || column.type === "category") return null;
  const present = presentValues(Float64Array.from(measured, (row) => column.values[row]!));
  const { min, max, mean } = summarize(present);
  return min === null || max === null || mean === null ? null : { min, max, mean };
}

/** Returns the distance between the most negative and the most positive effect; no change counts as an effect of 0. */
function swing(effects: Sensitivities["features"][number]["effects"]): number {
  const differences = [0, ...effects.map(({ meanDifference }) => meanDifference ?? 0)];
  return Math.max(...differences) - Math.min(...differences);
}
