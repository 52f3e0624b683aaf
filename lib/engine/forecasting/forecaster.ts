/** One feature's known values on the grid, and where they stand. NaN where unknown. */
export type FeatureSeries = {
  values: Float64Array;
  /** Instant of each grid cell, the cells to be forecast included: at least `values.length` + steps. */
  instants: Float64Array;
  timezone: string;
};

/**
 * A way to continue a series: the `steps` values after the first `length` ones, reading nothing behind them.
 * NaN is only given where nothing is known.
 */
export type Forecaster = {
  method: string;
  forecast: (series: FeatureSeries, length: number, steps: number) => Float64Array;
};
