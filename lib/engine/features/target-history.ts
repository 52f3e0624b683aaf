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

/** Reads the target at a grid index. NaN where nothing is known. */
export type ReadTarget = (index: number) => number;

/** Returns what a row at `rowIndex` may read. */
export function targetReader(history: TargetHistory): (rowIndex: number) => ReadTarget {
  const { firstIndex, observed, forecast } = history;
  const read = (values: Float64Array, index: number) => values[index - firstIndex] ?? Number.NaN;
  if (!forecast) return () => (index) => read(observed, index);
  return (rowIndex) => {
    const origin = forecastOrigin(rowIndex, forecast.end, forecast.horizon);
    return (index) => read(index < origin ? observed : forecast.predicted, index);
  };
}

/** Gaps longer than this are not bridged: reading on through years of nothing would take too long. */
const GAP_STEPS_MAX = 1_000;

/** Reads the newest known value at or before an index; NaN where there is none within `GAP_STEPS_MAX` steps. */
export function bridgingGaps(read: ReadTarget): ReadTarget {
  return (index) => {
    for (let back = 0; back <= GAP_STEPS_MAX; back++) {
      const value = read(index - back);
      if (!Number.isNaN(value)) return value;
    }
    return Number.NaN;
  };
}
