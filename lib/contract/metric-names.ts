const names: Record<string, string> = {
  rmse: "RMSE",
  mae: "MAE",
  mape: "MAPE",
  r2: "R²",
  bias: "Bias",
  pinball: "Pinball loss",
};

/** Returns the display name of a metric, or the metric itself if it has none. */
export const metricName = (metric: string): string => names[metric] ?? metric;
