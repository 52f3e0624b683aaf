import type { LevelBounds } from "#lib/contract/intervals";

/**
 * Lower and upper bounds of a prediction interval, one number per point; NaN marks a missing value. `inner` is the
 * interval at a lower level, drawn on top.
 */
export type Band = { lower: Float64Array; upper: Float64Array; inner?: Band | null };

/** Returns the intervals of a band, widest first. */
export function layersOf(band: Band | null | undefined): Band[] {
  return band ? [band, ...layersOf(band.inner)] : [];
}

/** Levels that charts draw inside the 90% interval, as a query. */
export const fanLevels = "0.5,0.8";

/** Levels that a CSV download can have in addition to 90%, as a query. */
export const csvLevels = "0.5,0.8,0.95";

/** Converts a response's numbers for the charts; NaN marks a missing value. */
export function columnOf(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

type Ends = { lower: readonly (number | null)[]; upper: readonly (number | null)[] };

/** Returns the 90% interval with the given lower levels inside it, or null if no point has an interval. */
export function bandOf({
  lower,
  upper,
  levels = [],
}: Ends & { levels?: LevelBounds[] | undefined }): Band | null {
  if (lower.every((end) => end === null)) return null;
  const ascending = levels.toSorted((a, b) => a.level - b.level);
  const inner = ascending.reduce<Band | null>((within, ends) => bandAround(ends, within), null);
  return bandAround({ lower, upper }, inner);
}

function bandAround({ lower, upper }: Ends, inner: Band | null): Band {
  return { lower: columnOf(lower), upper: columnOf(upper), ...(inner && { inner }) };
}

/** Subtracts a column from another one, point by point. */
export function differenceOf(column: Float64Array, subtracted: Float64Array): Float64Array {
  return column.map((value, at) => value - subtracted[at]!);
}
