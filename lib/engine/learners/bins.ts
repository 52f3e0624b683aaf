import { sortFloats } from "./sort-floats.ts";

/** The bin of a missing value; present values have bins 0 … 254. */
export const MISSING_BIN = 255;
/** Cells that a feature takes in a histogram. */
export const BIN_STRIDE = 256;

const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/**
 * Puts the bin of each of the column's values into the row-major `bins`: bin b holds the values with
 * `cuts[b - 1] < value <= cuts[b]`. The search for it does not branch: processors guess such branches wrong.
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
 * Ascending thresholds between distinct values, all float32, for at most `maxBins` (2 … 255) bins of about equal
 * population. Where the values outnumber the bins, cuts lie at the quantiles, but a frequent value takes one bin and not
 * the share of others. A column with missing values has one cut more,
 * above all that is present: it parts the present from the missing.
 */
export function cutPoints(column: Float32Array, maxBins: number): Float32Array {
  const sorted = sortFloats(column);
  const keepAll = countDistinct(sorted, maxBins + 1) <= maxBins;
  const cuts: number[] = [];
  // The bins from `origin` on share its rows evenly; a value that fills several bins makes a new origin.
  let origin = 0;
  let closed = 0;
  for (let i = 1; i < sorted.length && cuts.length < maxBins - 1; i++) {
    // -0 and 0 are the same value to `===`, as to every comparison with a threshold.
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

/** How many different values there are; counting stops at `enough`. */
function countDistinct(sorted: Float32Array, enough: number): number {
  let distinct = Math.min(1, sorted.length);
  for (let i = 1; i < sorted.length && distinct < enough; i++) if (sorted[i] !== sorted[i - 1]) distinct++;
  return distinct;
}

/**
 * A float32 threshold t with `low <= t < high`: the midpoint, or `low` itself where the midpoint rounds up to
 * `high` or does not exist (an infinite end). Adding 0 turns -0 into 0.
 */
function cutBetween(low: number, high: number): number {
  const middle = Math.fround(low / 2 + high / 2);
  return (middle >= low && middle < high ? middle : low) + 0;
}
