const names: Record<string, string> = {
  rmse: "RMSE",
  mae: "MAE",
  mape: "MAPE",
  r2: "R²",
  bias: "Bias",
  pinball: "Pinball loss",
  logLoss: "Log loss",
  brier: "Brier score",
  auc: "AUC",
  accuracy: "Accuracy",
  calibrationError: "Calibration error",
};

/** Metrics by which models of a target of numbers are chosen. */
export const NUMBER_METRICS = ["rmse", "mae", "mape", "r2"] as const;
/** Metrics by which models of a target of two classes are chosen. */
export const CLASS_METRICS = ["logLoss", "brier", "auc", "accuracy"] as const;
export const TARGET_METRICS = [...NUMBER_METRICS, ...CLASS_METRICS] as const;

export const isClassMetric = (metric: string): boolean => CLASS_METRICS.some((name) => name === metric);

/** Checks whether larger values of a metric are better; 1 is the largest. */
export const isHigherBetter = (metric: string): boolean => ["r2", "auc", "accuracy"].includes(metric);

/** Returns the display name of a metric, or the metric itself if it has none. */
export const metricName = (metric: string): string => names[metric] ?? metric;
