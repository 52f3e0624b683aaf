import type { LinearModel } from "#lib/engine/learners/linear-design";

/** Contributions of features. For each row, the prediction is `baseValue` plus the sum of the values. */
export type Contributions = {
  /** Expected prediction over the training data. */
  baseValue: number;
  /** Per row, one value for each of the model's features, on the scale of the prediction. */
  values: Float64Array[];
};

/**
 * Computes a linear model's SHAP values, in closed form for features taken as independent: coefficient × (x - mean).
 * The base value is the prediction at the training means.
 */
export function linearContributions(
  model: LinearModel,
  columns: Float32Array[],
  rows: Int32Array | number[],
): Contributions {
  const { coefficients, means, intercept } = model;
  const baseValue = coefficients.reduce((sum, c, feature) => sum + c * means[feature]!, intercept);
  const values = Array.from(rows, (row) =>
    coefficients.map((c, feature) => (c === 0 ? 0 : c * (columns[feature]![row]! - means[feature]!))),
  );
  return { baseValue, values };
}
