/**
 * Metrics of a regression. A metric is null if it is undefined: no pairs, only zeros as actuals (mape), a constant
 * target (r2).
 */
export type RegressionMetrics = {
  rmse: number | null;
  mae: number | null;
  /** Mean absolute percentage error, in percent, over the rows whose actual value is not 0. */
  mape: number | null;
  r2: number | null;
  /** Mean of predicted minus actual: above 0 if the model predicts too much. */
  bias: number | null;
};

/** Compares pairs of values; skips pairs with a missing side (NaN). */
export function regressionMetrics(actual: Float64Array, predicted: Float64Array): RegressionMetrics {
  let count = 0;
  let errors = 0;
  let absolute = 0;
  let squares = 0;
  let nonZero = 0;
  let percent = 0;
  let mean = 0;
  let spread = 0;
  for (let row = 0; row < actual.length; row++) {
    const y = actual[row]!;
    const error = predicted[row]! - y;
    if (Number.isNaN(error)) continue;
    count++;
    errors += error;
    absolute += Math.abs(error);
    squares += error * error;
    if (y !== 0) {
      nonZero++;
      percent += Math.abs(error / y);
    }
    // Welford's running variance needs no second pass and avoids cancellation.
    const delta = y - mean;
    mean += delta / count;
    spread += delta * (y - mean);
  }
  if (count === 0) return { rmse: null, mae: null, mape: null, r2: null, bias: null };
  return {
    rmse: Math.sqrt(squares / count),
    mae: absolute / count,
    mape: nonZero > 0 ? (100 * percent) / nonZero : null,
    r2: spread > 0 ? 1 - squares / spread : null,
    bias: errors / count,
  };
}

/** Returns the mean pinball loss, which a forecast of the quantile minimises. Skips pairs with a missing side. */
export function meanPinball(actual: Float64Array, predicted: Float64Array, quantile: number): number {
  let count = 0;
  let sum = 0;
  for (let row = 0; row < actual.length; row++) {
    const above = actual[row]! - predicted[row]!;
    if (Number.isNaN(above)) continue;
    count++;
    sum += above * (above > 0 ? quantile : quantile - 1);
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}
