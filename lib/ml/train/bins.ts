/** The bin of a missing value; present values have bins 0 … 254. */
export const MISSING_BIN = 255;
/** Cells that a feature takes in a histogram. */
export const BIN_STRIDE = 256;

const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

export type BinnedColumns = {
  rowCount: number;
  featureCount: number;
  /** Row-major, `featureCount` bytes a row: one row's bins lie in one cache line. */
  bins: Uint8Array;
  /**
   * Per feature, ascending: bin b holds the values with `cuts[b - 1] < value <= cuts[b]`. A column with missing
   * values has one cut more, above all that is present: it parts the present from the missing.
   */
  cuts: Float32Array[];
};

/** Sorts each column's values into at most `maxBins` (2 … 255) bins of about equal population. */
export function binColumns(columns: Float32Array[], maxBins: number, onColumn?: () => void): BinnedColumns {
  const rowCount = columns[0]?.length ?? 0;
  const featureCount = columns.length;
  const bins = new Uint8Array(rowCount * featureCount);
  const cuts = columns.map((column, feature) => {
    onColumn?.();
    const cut = cutPoints(column, maxBins);
    for (let row = 0; row < rowCount; row++) bins[row * featureCount + feature] = binOf(column[row]!, cut);
    return cut;
  });
  return { rowCount, featureCount, bins, cuts };
}

/**
 * Thresholds between distinct values, all float32. Where the values outnumber the bins, a cut closes a bin once
 * it holds its share of the rows that remain, so that a frequent value takes one bin and not the share of others.
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
