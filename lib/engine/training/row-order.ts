import type { Column } from "#lib/contract/table";
import type { RowOrder } from "#lib/engine/learners/linear-design";

/** Minimum rank correlation of neighbours that count as similar, and its minimum number of standard errors from 0. */
const ALIKE = 0.2;
const STANDARD_ERRORS = 4;
/** Fraction of changes in one direction above which rows count as sorted by the target. */
const SORTED = 0.97;

/**
 * Detects whether the order of rows without a timestamp carries time: the targets of neighbours are then similar
 * (rank version of von Neumann's ratio, Bartels 1982). Rows that are sorted by the target, or grouped by a category
 * within which neighbours are not similar, count as random.
 *
 * @param targets by row, all known
 * @param inputs columns of the same rows
 */
export function orderOfRows(targets: Float64Array, inputs: readonly Column[]): RowOrder {
  if (!areAlike(targets) || isSorted(targets)) return "random";
  const groupings = inputs.flatMap((column) =>
    column.type === "category" && isGrouped(column.codes) ? [column.codes] : [],
  );
  return groupings.every((codes) => areAlike(withoutGroupMeans(targets, codes))) ? "time" : "random";
}

function areAlike(values: Float64Array): boolean {
  const count = values.length;
  const ranks = ranksOf(values);
  const middle = (count + 1) / 2;
  let differences = 0;
  let spread = 0;
  for (let row = 0; row < count; row++) {
    if (row > 0) differences += (ranks[row]! - ranks[row - 1]!) ** 2;
    spread += (ranks[row]! - middle) ** 2;
  }
  const correlation = spread > 0 ? 1 - differences / spread / 2 : 0;
  return correlation >= ALIKE && correlation * Math.sqrt(count) >= STANDARD_ERRORS;
}

/** Returns ranks from 1; equal values share their mean rank. */
function ranksOf(values: Float64Array): Float64Array {
  const order = Float64Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + 1 + to) / 2;
  }
  return ranks;
}

function isSorted(values: Float64Array): boolean {
  let up = 0;
  let down = 0;
  for (let row = 1; row < values.length; row++) {
    if (values[row]! > values[row - 1]!) up++;
    if (values[row]! < values[row - 1]!) down++;
  }
  return Math.max(up, down) >= SORTED * (up + down);
}

/** Returns whether the rows of each category are contiguous and there is more than one category. */
function isGrouped(codes: Int32Array): boolean {
  let runs = 0;
  for (let row = 0; row < codes.length; row++) if (row === 0 || codes[row] !== codes[row - 1]) runs++;
  return runs > 1 && runs === new Set(codes).size;
}

function withoutGroupMeans(values: Float64Array, codes: Int32Array): Float64Array {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let row = 0; row < values.length; row++) {
    const group = sums.get(codes[row]!) ?? { sum: 0, count: 0 };
    group.sum += values[row]!;
    group.count++;
    sums.set(codes[row]!, group);
  }
  return values.map((value, row) => {
    const { sum, count } = sums.get(codes[row]!)!;
    return value - sum / count;
  });
}
