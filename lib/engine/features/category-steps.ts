import type { Column } from "#lib/contract/table";
import type { FeatureStep } from "./pipeline.ts";
import { mean } from "./statistics.ts";

type CategoryColumn = Extract<Column, { type: "category" }>;

/** Maximum categories for one-hot columns. Beyond it, a linear model uses each category's mean target. */
const ONEHOT_CATEGORIES_MAX = 50;
/** Maximum categories for an ordinal code. The order of so few categories reveals little of a row's own target. */
const ORDINAL_CATEGORIES_MAX = 20;
const ORDINAL_ROWS_EACH = 10;
/** Number of rows with the overall mean that shrink each category's mean target. */
const PRIOR_ROWS = 10;

/**
 * Chooses the encoding of a category column. Trees: an order by mean target for few categories, the mean target for
 * many. Linear models: one-hot columns for few, the mean target for many.
 */
export function categoryStep(
  column: CategoryColumn,
  targets: Float64Array,
  family: "trees" | "linear",
): FeatureStep {
  const { counts, shrunk, overall } = categoryMeans(column, targets);
  const seen = column.categories.map((_, code) => code).filter((code) => counts[code]! > 0);
  const named = (codes: number[]) => codes.map((code) => column.categories[code]!);
  const feature = column.name;
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const maxCategories =
    family === "linear"
      ? ONEHOT_CATEGORIES_MAX
      : Math.max(4, Math.min(ORDINAL_CATEGORIES_MAX, rows / ORDINAL_ROWS_EACH));
  if (seen.length > maxCategories) {
    // A category that occurs once carries no information about other rows.
    const known = seen.filter((code) => counts[code]! > 1);
    return {
      op: "targetEncoding",
      feature,
      categories: named(known),
      values: known.map((code) => shrunk[code]!),
      unseen: overall,
      fill: family === "linear" ? overall : null,
    };
  }
  // In the order of the mean target, one threshold separates low from high (Fisher 1958). One-hot puts frequent
  // categories first.
  const order =
    family === "trees"
      ? seen.sort((a, b) => shrunk[a]! - shrunk[b]! || a - b)
      : seen.sort((a, b) => counts[b]! - counts[a]! || a - b);
  return { op: family === "trees" ? "ordinal" : "onehot", feature, categories: named(order) };
}

/**
 * Returns the target encoding of the rows that it was fitted on: the category's mean target over the preceding rows
 * only, so that no row sees its own target (Prokhorenkova et al. 2018, "ordered target statistics"). Rows of a series
 * are in time order, other rows in random order. Float64; NaN for a missing category.
 */
export function orderedMeans(column: CategoryColumn, targets: Float64Array, overall: number): Float64Array {
  const counts = new Float64Array(column.categories.length);
  const sums = new Float64Array(column.categories.length);
  return Float64Array.from(column.codes, (code, row) => {
    if (code < 0) return Number.NaN;
    const value = shrink(sums[code]!, counts[code]!, overall);
    if (Number.isFinite(targets[row]!)) {
      counts[code]! += 1;
      sums[code]! += targets[row]!;
    }
    return value;
  });
}

function categoryMeans({ categories, codes }: CategoryColumn, targets: Float64Array) {
  const counts = new Float64Array(categories.length);
  const sums = new Float64Array(categories.length);
  codes.forEach((code, row) => {
    const target = targets[row]!;
    if (code < 0 || !Number.isFinite(target)) return;
    counts[code]! += 1;
    sums[code]! += target;
  });
  const overall = mean(targets) + 0;
  const shrunk = sums.map((sum, code) => shrink(sum, counts[code]!, overall));
  return { counts, shrunk, overall };
}

/** Never returns negative zero, which JSON cannot represent. */
function shrink(sum: number, count: number, overall: number): number {
  return (sum + PRIOR_ROWS * overall) / (count + PRIOR_ROWS) + 0;
}
