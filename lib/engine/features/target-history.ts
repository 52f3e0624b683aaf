/**
 * Known values of the target on the grid, and the predictions of a recursive forecast. A row reads only observations
 * before its forecast origin. From the origin onwards, it reads the model's predictions, as it would have had to at
 * that time.
 */
export type TargetHistory = {
  /** Grid index of `observed[0]`. */
  firstIndex: number;
  /** One value per grid cell, NaN in gaps. */
  observed: Float64Array;
  /** Absent while fitting. Every lag then reads observations. */
  forecast?: {
    /** First grid index after the known series. */
    end: number;
    /** Steps from one forecast origin to the next inside the known series. */
    horizon: number;
    /** Predictions by grid index, counted from `firstIndex`. NaN or absent if unknown. */
    predicted: Float64Array;
  };
};

/** No value of the target is known: features of the past have their fill values. */
export const NO_HISTORY: TargetHistory = { firstIndex: 0, observed: new Float64Array() };

/**
 * Returns the forecast origin of a cell. Inside the known series, origins are `horizon` steps apart, counted back from
 * the end. A row's origin therefore does not depend on the other rows of its batch.
 */
export function forecastOrigin(index: number, end: number, horizon: number): number {
  return index >= end ? end : end - Math.ceil((end - index) / horizon) * horizon;
}

/** Largest number of an Int32Array. A grid of seconds has more steps from now to the year 2100. */
const STEPS_MAX = 2 ** 31 - 1;

/**
 * Returns the steps from each cell's forecast origin, from 1 to `STEPS_MAX`. A cell that is NaN, of a row without a
 * timestamp, counts as one step ahead.
 */
export function stepsAhead(indexes: Float64Array, end: number, horizon: number): Int32Array {
  return Int32Array.from(indexes, (index) =>
    Number.isNaN(index) ? 1 : Math.min(STEPS_MAX, index - forecastOrigin(index, end, horizon) + 1),
  );
}

/** Returns the target at a grid index, NaN if unknown. */
export type ReadTarget = (index: number) => number;

/** Returns the reader for a row at `rowIndex`. */
export function targetReader(history: TargetHistory): (rowIndex: number) => ReadTarget {
  const { firstIndex, observed, forecast } = history;
  const read = (values: Float64Array, index: number) => values[index - firstIndex] ?? Number.NaN;
  if (!forecast) return () => (index) => read(observed, index);
  return (rowIndex) => {
    const origin = forecastOrigin(rowIndex, forecast.end, forecast.horizon);
    return (index) => read(index < origin ? observed : forecast.predicted, index);
  };
}

/** Longer gaps are not bridged, because reading through years without values would take too long. */
const GAP_STEPS_MAX = 1_000;

/** Returns a reader of the newest known value at or before an index, at most `GAP_STEPS_MAX` steps back, or NaN. */
export function bridgingGaps(read: ReadTarget): ReadTarget {
  return (index) => {
    for (let back = 0; back <= GAP_STEPS_MAX; back++) {
      const value = read(index - back);
      if (!Number.isNaN(value)) return value;
    }
    return Number.NaN;
  };
}
