import { linearContributions } from "#lib/engine/explanation/contributions";
import { treeShap } from "#lib/engine/explanation/tree-shap";
import type { Learner } from "#lib/ml/model/learner";

/** For each row `baseValue` + the sum of its values is the prediction. `values[row][i]` belongs to `features[i]`. */
export type FeatureContributions = {
  /** `sampled`: an approximation, for models whose inside is not known. */
  method: "exact" | "sampled";
  baseValue: number;
  features: string[];
  values: Float64Array[];
};

/**
 * Contributions of the model's inputs, added up to the features that they come from. The runtime adds in float32 and
 * the explanation in float64; their tiny difference goes to each row's largest contribution, so that sums are exact.
 *
 * @param sources the input feature of each model input. @param columns the model inputs, as they were predicted from.
 */
export function contributionsByFeature(
  learner: Learner,
  sources: readonly string[],
  columns: Float32Array[],
  predictions: Float64Array,
): FeatureContributions {
  const rows = Int32Array.from(predictions.keys());
  const explained =
    learner.kind === "trees" ? treeShap(learner, columns, rows) : linearContributions(learner, columns, rows);
  const features = [...new Set(sources)];
  const place = new Map(features.map((feature, i) => [feature, i]));
  const values = explained.values.map((inputs, row) => {
    const sums = new Float64Array(features.length);
    sources.forEach((source, i) => {
      sums[place.get(source)!]! += inputs[i]!;
    });
    return settle(sums, predictions[row]! - explained.baseValue);
  });
  return { method: "exact", baseValue: explained.baseValue, features, values };
}

/**
 * Makes the values add up to `total`: what is beyond rounding (the part below 0 that the model cuts off) is taken from
 * all of them in proportion, the rest from the largest.
 */
export function settle(values: Float64Array, total: number): Float64Array {
  const sum = (): number => values.reduce((part, value) => part + value, 0);
  const before = sum();
  const share = total / before;
  const isCut = share >= 0 && share < 1 - CUT_SHARE;
  if (isCut) for (let i = 0; i < values.length; i++) values[i]! *= share;
  let largest = 0;
  values.forEach((value, i) => {
    if (Math.abs(value) > Math.abs(values[largest]!)) largest = i;
  });
  if (values.length > 0) values[largest]! += total - sum();
  return values;
}

/** A difference of float32 and float64 sums is far below this part of them. */
const CUT_SHARE = 1e-3;
