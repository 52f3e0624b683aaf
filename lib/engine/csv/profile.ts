import type { Dataset } from "#lib/contract/datasets";
import type { CategoryColumn, Column, NumericColumn } from "#lib/contract/table";
import { medianInPlace } from "#lib/engine/statistics/quantile";

/** Profile of a column as in the API. Booleans count as 0 and 1, and times as epoch milliseconds. */
export type ColumnProfile = Omit<Dataset["columns"][number], "role">;

export const LISTED_CATEGORIES_MAX = 1000;
export const HISTOGRAM_BINS = 20;

export function profileColumn(column: Column): ColumnProfile {
  return column.type === "category" ? profileCategories(column) : profileNumbers(column);
}

function profileNumbers(column: NumericColumn): ColumnProfile {
  const { name, type, values } = column;
  const present = new Float64Array(values.length);
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  // A running mean (Welford) cannot overflow, unlike a sum.
  let mean = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    present[count++] = value;
    if (value < min) min = value;
    if (value > max) max = value;
    mean += value / count - mean / count;
  }
  const empty = count === 0;
  return {
    name,
    type,
    missing: values.length - count,
    min: empty ? null : min,
    max: empty ? null : max,
    mean: empty ? null : Math.min(max, Math.max(min, mean)),
    histogram: empty ? null : histogram(present, count, min, max),
    median: empty ? null : medianInPlace(present, count),
    categories: null,
  };
}

/**
 * Counts values in equally wide bins from `from` to `to`. The last bin includes its upper end. Whole numbers have bins of
 * equally many values, because a bin with one more value than its neighbours would show a peak that the data lacks.
 */
function histogram(values: Float64Array, length: number, from: number, to: number): number[] {
  const perBin = Math.ceil((to - from + 1) / HISTOGRAM_BINS);
  if (Number.isSafeInteger(to - from) && values.subarray(0, length).every(Number.isSafeInteger)) {
    const counts = new Array<number>(Math.ceil((to - from + 1) / perBin)).fill(0);
    for (let i = 0; i < length; i++) counts[Math.floor((values[i]! - from) / perBin)]!++;
    return counts;
  }
  const counts = new Array<number>(HISTOGRAM_BINS).fill(0);
  // Halved, because the width of the widest finite range is not finite.
  const halfWidth = to / 2 - from / 2;
  for (let i = 0; i < length; i++) {
    const share = halfWidth === 0 ? 0 : (values[i]! / 2 - from / 2) / halfWidth;
    counts[Math.min(HISTOGRAM_BINS - 1, Math.floor(share * HISTOGRAM_BINS))]!++;
  }
  return counts;
}

/** Lists categories by frequency, then by name. The histogram counts the most frequent ones. */
function profileCategories(column: CategoryColumn): ColumnProfile {
  const counts = new Float64Array(column.categories.length);
  let missing = 0;
  for (let i = 0; i < column.codes.length; i++) {
    const code = column.codes[i]!;
    if (code < 0) missing++;
    else counts[code]!++;
  }
  const categories = column.categories
    .map((value, code) => ({ value, count: counts[code]! }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, LISTED_CATEGORIES_MAX);
  return {
    name: column.name,
    type: "category",
    missing,
    min: null,
    max: null,
    mean: null,
    median: null,
    histogram: categories.slice(0, HISTOGRAM_BINS).map(({ count }) => count),
    categories: categories.map(({ value }) => value),
  };
}
