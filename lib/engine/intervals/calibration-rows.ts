/** Out-of-sample predictions; for a series, the steps from one forecast origin. */
export type CalibrationRows = {
  actual: Float64Array;
  predicted: Float64Array;
  /** Steps ahead, from 1; null if the model has no series. */
  steps: Int32Array | null;
  /** Index of the first row, in time order. */
  from?: number;
  /** Scale of each row's error (`ErrorScale`); absent if all are 1. */
  scales?: Float64Array;
};
