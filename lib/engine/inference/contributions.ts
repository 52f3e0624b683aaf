import type { ContributionKind, ContributionParts } from "#lib/contract/contributions";
import { type Contributions, linearContributions } from "#lib/engine/explanation/contributions";
import type { PredictionScale } from "#lib/engine/explanation/prediction-scale";
import { treeShap } from "#lib/engine/explanation/tree-shap";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { predictLinear } from "#lib/engine/learners/linear-design";
import type { SeriesForecast } from "#lib/engine/series-methods/series-method";
import { type FeatureSource, groupSources, inputSources } from "./feature-sources.ts";
import type { FeatureLearner, SeriesLearner } from "./learner.ts";

/**
 * Contributions by feature. For each row, `baseValue` plus the sum of its values equals the prediction on the `scale`.
 * `values[row][i]` belongs to `features[i]`, `kinds[i]` and `details[i]`. A feature is listed once per kind and detail.
 */
export type FeatureContributions = {
  /** `sampled` is an approximation for models whose structure is unknown. */
  method: "exact" | "sampled";
  /** `log_odds`: logarithm of p / (1 - p) for a predicted probability p. */
  scale: PredictionScale;
  baseValue: number;
  features: string[];
  kinds: ContributionKind[];
  details: (string | null)[];
  values: Float64Array[];
};

/** Converts contributions for the API: each feature once, with its parts by kind and detail. */
export function presentContributions({ features, kinds, details, values, ...rest }: FeatureContributions) {
  const names = [...new Set(features)];
  const placeOf = features.map((name) => names.indexOf(name));
  const parts: ContributionParts = { features, kinds, details, values: values.map((row) => [...row]) };
  const summed = parts.values.map((row) => {
    const sums = new Array<number>(names.length).fill(0);
    row.forEach((value, part) => {
      sums[placeOf[part]!]! += value;
    });
    return sums;
  });
  return { ...rest, features: names, values: summed, parts };
}

/**
 * Computes contributions of the model inputs and sums them by source. The model adds in float32 and
 * the explanation in float64. Their tiny difference goes to each row's largest contribution, so that sums are exact.
 *
 * @param sources source of each model input
 * @param columns model inputs of the predictions
 */
export function contributionsByFeature(
  learner: FeatureLearner,
  sources: readonly FeatureSource[],
  columns: Float32Array[],
  predictions: Float64Array,
): FeatureContributions {
  const rows = Int32Array.from(predictions.keys());
  const explained = explain(learner, columns, rows);
  const { groups, places } = groupSources(sources);
  const values = explained.values.map((inputs, row) => {
    const sums = new Float64Array(groups.length);
    places.forEach((place, i) => {
      sums[place]! += inputs[i]!;
    });
    return settle(sums, predictions[row]! - explained.baseValue);
  });
  return {
    method: "exact",
    scale: "prediction",
    baseValue: explained.baseValue,
    features: groups.map(({ feature }) => feature),
    kinds: groups.map(({ kind }) => kind),
    details: groups.map(({ detail }) => detail),
    values,
  };
}

/** Adds the contributions of the recent level if the trees learned the difference to it. */
function explain(learner: FeatureLearner, columns: Float32Array[], rows: Int32Array): Contributions {
  if (learner.kind === "linear") return linearContributions(learner, columns, rows);
  const trees = treeShap(learner, columns, rows);
  if (!learner.base) return trees;
  const base = linearContributions(learner.base, columns, rows);
  return {
    baseValue: trees.baseValue + base.baseValue,
    values: trees.values.map((row, at) => row.map((value, i) => value + base.values[at]![i]!)),
  };
}

/**
 * Computes contributions of a model of series methods: of its inputs, and of level and season under the target's
 * name. The base value is the mean of the target minus the part of the inputs.
 *
 * @param past the series methods' part of each prediction
 */
export function seriesContributions(
  { inputs, mean }: SeriesLearner,
  pipeline: FeaturePipeline,
  { columns, past }: { columns: Float32Array[]; past: SeriesForecast },
  predictions: Float64Array,
): FeatureContributions {
  const ofInputs =
    inputs && contributionsByFeature(inputs, inputSources(pipeline), columns, predictLinear(inputs, columns));
  const values = Array.from(predictions, (prediction, row) => {
    const level = past.level[row]!;
    const parts = [...(ofInputs?.values[row] ?? []), level - mean, past.values[row]! - level];
    return settle(Float64Array.from(parts), prediction - mean);
  });
  return {
    method: "exact",
    scale: "prediction",
    baseValue: mean,
    features: [...(ofInputs?.features ?? []), pipeline.target, pipeline.target],
    kinds: [...(ofInputs?.kinds ?? []), "level", "season"],
    details: [...(ofInputs?.details ?? []), null, null],
    values,
  };
}

/**
 * Adjusts the values so that they add up to `total`. A difference beyond rounding (the negative part that the floor
 * of the model removes) is taken from all values in proportion. The remainder is taken from the largest value.
 */
export function settle(values: Float64Array, total: number): Float64Array {
  const sum = (): number => values.reduce((part, value) => part + value, 0);
  const before = sum();
  const share = total / before;
  const size = values.reduce((part, value) => part + Math.abs(value), 0);
  // Values of opposite signs may almost cancel out. A cut is then invisible among the rounding errors.
  const isCut = share >= 0 && share < 1 && Math.abs(before - total) > CUT_SHARE * size;
  if (isCut) for (let i = 0; i < values.length; i++) values[i]! *= share;
  let largest = 0;
  values.forEach((value, i) => {
    if (Math.abs(value) > Math.abs(values[largest]!)) largest = i;
  });
  if (values.length > 0) values[largest]! += total - sum();
  return values;
}

/** Share of the values' size that separates rounding from a cut. Differences of float32 and float64 sums are smaller. */
const CUT_SHARE = 1e-3;
