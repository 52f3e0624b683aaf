import type { Column } from "#lib/contract/table";
import type { FeatureStep } from "./pipeline.ts";
import { mean } from "./statistics.ts";

type CategoryColumn = Extract<Column, { type: "category" }>;

/** One-hot up to so many categories; beyond, a linear model takes the mean target of each. */
const ONEHOT_CATEGORIES_MAX = 50;
/** The order of so few categories, each of some rows, hardly tells a row its own target. */
const ORDINAL_CATEGORIES_MAX = 20;
const ORDINAL_ROWS_EACH = 10;
/** A category's mean target is drawn towards the overall mean as if so many more rows had that. */
const PRIOR_ROWS = 10;

/**
 * How a model takes a column of categories. Trees: few by their order of the mean target, many by the mean target
 * itself; linear: few by a column each, many by the mean target.
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
  const most =
    family === "linear"
      ? ONEHOT_CATEGORIES_MAX
      : Math.max(4, Math.min(ORDINAL_CATEGORIES_MAX, rows / ORDINAL_ROWS_EACH));
  if (seen.length > most) {
    // Of a category that came once nothing is known that would help another row.
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
  // In order of the mean target one threshold parts low from high (Fisher 1958). For one-hot the commonest first.
  const order =
    family === "trees"
      ? seen.sort((a, b) => shrunk[a]! - shrunk[b]! || a - b)
      : seen.sort((a, b) => counts[b]! - counts[a]! || a - b);
  return { op: family === "trees" ? "ordinal" : "onehot", feature, categories: named(order) };
}

/**
 * What a target encoding gives for the very rows that it was fitted on: the category's mean target over the rows
 * before each, so that no row is told its own target (Prokhorenkova et al. 2018, "ordered target statistics"). The
 * rows of a series are in order of time, others in an order by chance. Float64; NaN where the category is missing.
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

/** Never negative zero, which JSON would lose. */
function shrink(sum: number, count: number, overall: number): number {
  return (sum + PRIOR_ROWS * overall) / (count + PRIOR_ROWS) + 0;
}
