/** Known values of one feature on the grid, with their positions. NaN if unknown. */
export type FeatureSeries = {
  values: Float64Array;
  /** Instant of each grid cell, including the cells to forecast: at least `values.length` + steps. */
  instants: Float64Array;
  timezone: string;
};

/**
 * A forecast method: returns the `steps` values after the first `length` ones, and reads no later values. Returns NaN
 * only if no value is known.
 */
export type Forecaster = {
  method: string;
  forecast: (series: FeatureSeries, length: number, steps: number) => Float64Array;
};
