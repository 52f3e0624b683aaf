import { sortFloats } from "./sort-floats.ts";

/** Bin of missing values; present values have bins 0 … 254. */
export const MISSING_BIN = 255;
/** Histogram cells per feature. */
export const BIN_STRIDE = 256;

const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/**
 * Writes the bin of each value of the column into the row-major `bins`. Bin b holds the values with `cuts[b - 1] <
 * value <= cuts[b]`. The search is branch-free because processors would mispredict its branches.
 */
export function binColumn(
  column: Float32Array,
  cuts: Float32Array,
  bins: Uint8Array,
  feature: number,
  featureCount: number,
): void {
  const padded = new Float32Array(BIN_STRIDE).fill(Infinity);
  padded.set(cuts);
  for (let row = 0, at = feature; row < column.length; row++, at += featureCount) {
    const value = column[row]!;
    let bin = 0;
    for (let half = BIN_STRIDE / 2; half > 0; half >>= 1)
      bin += half * Number(value > padded[bin + half - 1]!);
    bins[at] = Number.isNaN(value) ? MISSING_BIN : bin;
  }
}

/**
 * Returns ascending float32 thresholds between distinct values, for at most `maxBins` (2 … 255) bins of about equal
 * population. If there are more distinct values than bins, cuts lie at the quantiles. A frequent value then takes one
 * bin and does not reduce the share of the others. A column with missing values has one more cut above all present
 * values: this cut separates present from missing values.
 */
export function cutPoints(column: Float32Array, maxBins: number): Float32Array {
  const sorted = sortFloats(column);
  const keepAll = countDistinct(sorted, maxBins + 1) <= maxBins;
  const cuts: number[] = [];
  // The bins from `origin` onwards share its rows evenly; a value that fills several bins starts a new origin.
  let origin = 0;
  let closed = 0;
  for (let i = 1; i < sorted.length && cuts.length < maxBins - 1; i++) {
    // `===` and comparisons with a threshold treat -0 and 0 as equal.
    if (sorted[i] === sorted[i - 1]) continue;
    const share = (sorted.length - 1 - origin) / (maxBins - closed);
    const isFull = () => i - origin > share * (cuts.length + 1 - closed);
    if (!keepAll && !isFull()) continue;
    cuts.push(cutBetween(sorted[i - 1]!, sorted[i]!));
    if (isFull()) [origin, closed] = [i, cuts.length];
  }
  const hasMissing = sorted.length < column.length;
  if (hasMissing && sorted.length > 0) cuts.push(sorted.at(-1) === Infinity ? Infinity : LARGEST_FLOAT32);
  return Float32Array.from(cuts);
}

/** Counts distinct values; stops at `enough`. */
function countDistinct(sorted: Float32Array, enough: number): number {
  let distinct = Math.min(1, sorted.length);
  for (let i = 1; i < sorted.length && distinct < enough; i++) if (sorted[i] !== sorted[i - 1]) distinct++;
  return distinct;
}

/**
 * Returns a float32 threshold t with `low <= t < high`: the midpoint, or `low` if the midpoint rounds up to `high` or
 * does not exist (an infinite end). Adding 0 converts -0 to 0.
 */
function cutBetween(low: number, high: number): number {
  const middle = Math.fround(low / 2 + high / 2);
  return (middle >= low && middle < high ? middle : low) + 0;
}
