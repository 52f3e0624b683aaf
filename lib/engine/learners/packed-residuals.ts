/**
 * Histogram cells that hold a count of rows and the sum of their residuals in one float64:
 * `count × unit + sum of quantised residuals`, every part an integer and the whole below 2^53. One addition serves
 * both, and integer sums are exact: they do not depend on the order of the rows nor on which thread adds them, and a
 * sibling's histogram is the parent's minus the child's to the last bit.
 */
export type Packing = {
  /** A power of two; the sum of any set of quantised residuals lies strictly within ± unit / 2. */
  unit: number;
  /** Quantised residual = round(residual × scale). */
  scale: number;
};

/** More rows would leave too few bits for the residuals. */
export const MAX_ROWS = 2 ** 24;

/**
 * How to pack residuals whose sizes add up to `total`. They get all the bits that the count of rows leaves: 2^-37 of
 * their total for 17,000 rows, 2^-28 for 10 million.
 */
export function packingFor(total: number, rowCount: number): Packing {
  const unit = 2 ** (52 - Math.ceil(Math.log2(rowCount + 1)));
  // Rounding adds at most half a step a row, so the sum of all magnitudes stays below unit / 2.
  const largest = (unit / 2 - rowCount) / total;
  return { unit, scale: Number.isFinite(largest) ? largest : 1 };
}

/** Turns the residuals `from … to - 1` into the cells of their rows. */
export function packResiduals(
  values: Float64Array,
  { unit, scale }: Packing,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row++) values[row] = unit + Math.round(values[row]! * scale);
}

/**
 * How many rows a cell, or a sum of cells, holds, given 1 / unit. What is left, `cell - count × unit`, is the sum
 * of their quantised residuals.
 */
export function countOf(cell: number, perUnit: number): number {
  return Math.floor(cell * perUnit + 0.5);
}
