/**
 * What is known of the target on the grid, and what a recursive forecast adds to it.
 * Observations belong to everyone; a row only reads those before its own forecast origin, and from there on the
 * model's predictions, as it would have had to at that time.
 */
export type TargetHistory = {
  /** Grid index of `observed[0]`. */
  firstIndex: number;
  /** One value a grid cell, NaN where the series has a gap. */
  observed: Float64Array;
  /** Absent while fitting: every lag then reads what was observed. */
  forecast?: {
    /** First grid index after the known series. */
    end: number;
    /** Steps from one forecast origin to the next inside the known series. */
    horizon: number;
    /** Predictions by grid index, counted from `firstIndex`; NaN or absent where there is none. */
    predicted: Float64Array;
  };
};

/**
 * The index at which the forecast that a cell belongs to begins. Inside the known series origins lie every `horizon`
 * steps, counted back from its end, so that each row's origin does not depend on the rows it comes with.
 */
export function forecastOrigin(index: number, end: number, horizon: number): number {
  return index >= end ? end : end - Math.ceil((end - index) / horizon) * horizon;
}

/** A function that reads the target at a grid index, for a row at `rowIndex`. NaN where nothing is known. */
export function targetReader(history: TargetHistory): (rowIndex: number) => (index: number) => number {
  const { firstIndex, observed, forecast } = history;
  const read = (values: Float64Array, index: number) => values[index - firstIndex] ?? Number.NaN;
  if (!forecast) return () => (index) => read(observed, index);
  return (rowIndex) => {
    const origin = forecastOrigin(rowIndex, forecast.end, forecast.horizon);
    return (index) => read(index < origin ? observed : forecast.predicted, index);
  };
}
