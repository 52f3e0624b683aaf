/** The bin of a missing value; present values have bins 0 … 254. */
export const MISSING_BIN = 255;
/** Cells that a feature takes in a histogram. */
export const BIN_STRIDE = 256;

const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/**
 * Puts the bin of each of the column's values into the row-major `bins`: bin b holds the values with
 * `cuts[b - 1] < value <= cuts[b]`.
 */
export function binColumn(
  column: Float32Array,
  cuts: Float32Array,
  bins: Uint8Array,
  feature: number,
  featureCount: number,
): void {
  for (let row = 0, at = feature; row < column.length; row++, at += featureCount) {
    bins[at] = binOf(column[row]!, cuts);
  }
}

/**
 * Ascending thresholds between distinct values, all float32, for at most `maxBins` (2 … 255) bins of about equal
 * population. Where the values outnumber the bins, a cut closes a bin once it holds its share of the rows that remain,
 * so that a frequent value takes one bin and not the share of others. A column with missing values has one cut more,
 * above all that is present: it parts the present from the missing.
 */
export function cutPoints(column: Float32Array, maxBins: number): Float32Array {
  const sorted = column.filter((x) => !Number.isNaN(x)).sort();
  const keepAll = countDistinct(sorted, maxBins + 1) <= maxBins;
  const cuts: number[] = [];
  let binStart = 0;
  for (let i = 1; i < sorted.length && cuts.length < maxBins - 1; i++) {
    // -0 and 0 are the same value to `===`, as to every comparison with a threshold.
    if (sorted[i] === sorted[i - 1]) continue;
    const share = (sorted.length - binStart) / (maxBins - cuts.length);
    if (!keepAll && i - binStart < share) continue;
    cuts.push(cutBetween(sorted[i - 1]!, sorted[i]!));
    binStart = i;
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

function binOf(x: number, cuts: Float32Array): number {
  if (Number.isNaN(x)) return MISSING_BIN;
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x <= cuts[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}
