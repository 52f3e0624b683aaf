import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { Ensemble } from "#lib/engine/learners/tree";

/**
 * Returns each feature's share of the decrease in squared error by all splits. The shares sum to 1, or are all 0
 * without splits.
 */
export function gainImportance(ensemble: Ensemble): Float64Array {
  const gains = new Float64Array(ensemble.featureCount);
  for (const { feature, gain } of ensemble.trees) {
    if (!gain) continue;
    for (let node = 0; node < feature.length; node++) {
      if (feature[node]! >= 0) gains[feature[node]!]! += gain[node]!;
    }
  }
  return shares(gains);
}

/** Returns each feature's share in the linear model: |coefficient| × the feature's standard deviation in training. */
export function linearImportance(model: LinearModel): Float64Array {
  return shares(model.coefficients.map((c, feature) => Math.abs(c) * (model.deviations?.[feature] ?? 1)));
}

function shares(amounts: Float64Array): Float64Array {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return total > 0 ? amounts.map((amount) => amount / total) : amounts;
}
