/**
 * Lower and upper bounds of a prediction interval, one number per point; NaN marks a missing value. `inner` is the
 * interval at a lower level, drawn on top.
 */
export type Band = { lower: Float64Array; upper: Float64Array; inner?: Band | null };

/** Returns the intervals of a band, widest first. */
export function layersOf(band: Band | null | undefined): Band[] {
  return band ? [band, ...layersOf(band.inner)] : [];
}

/** Converts a response's numbers for the charts; NaN marks a missing value. */
export function columnOf(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

/** Returns the interval bounds, or null if no point has an interval. */
export function bandOf(lower: readonly (number | null)[], upper: readonly (number | null)[]): Band | null {
  if (lower.every((end) => end === null)) return null;
  return { lower: columnOf(lower), upper: columnOf(upper) };
}

/** Subtracts a column from another one, point by point. */
export function differenceOf(column: Float64Array, subtracted: Float64Array): Float64Array {
  return column.map((value, at) => value - subtracted[at]!);
}
