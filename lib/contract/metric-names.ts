const names: Record<string, string> = {
  rmse: "RMSE",
  mae: "MAE",
  mape: "MAPE",
  r2: "R²",
  bias: "Bias",
  pinball: "Pinball loss",
};

/** As people write it; an unknown one as it stands. */
export const metricName = (metric: string): string => names[metric] ?? metric;
