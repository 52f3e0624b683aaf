import type { Table } from "#lib/contract/table";
import { concatTables } from "#lib/engine/table/concat";
import { sliceRows } from "#lib/engine/table/rows";
/** Rows `from` to `to` - 1. */
export type Range = { from: number; to: number };

/** Training rows to learn from, and others to be judged on; the validation rows are in none. */
export type Fold = { train: Range[]; test: Range };

const TABLE_FOLDS = 5;

/** Rows in random order, parted into five, each predicted from all others. */
export function shuffledFolds(rows: number): Fold[] {
  const parts = Math.min(TABLE_FOLDS, rows);
  const cut = (part: number) => Math.floor((part * rows) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const test = { from: cut(part), to: cut(part + 1) };
    const train = [
      { from: 0, to: test.from },
      { from: test.to, to: rows },
    ];
    return { train: train.filter(({ from, to }) => to > from), test };
  });
}

const ORIGINS = 3;
/** Part of the rows that each origin of a long series predicts. */
const TEST_PART = 0.15;
/** Of a short series at least so much is learned from. */
const LEARNED_PART = 0.4;

/**
 * Back-tests with rolling origin (Tashman 2000), the latest last: what was known at the origin is learned from, what came
 * next is predicted. Each origin predicts the horizon, or more where there are the rows for it; those of a short series
 * overlap, and look less far ahead where they would leave too little to learn from.
 *
 * @param horizon steps ahead that the model will be used for; null for rows without a series
 * @param learnedMin rows that must be left to learn from
 */
export function rollingFolds(
  rows: number,
  horizon: number | null,
  learnedMin: number,
  count = ORIGINS,
): Fold[] {
  const least = Math.min(rows - 1, Math.max(learnedMin, Math.floor(LEARNED_PART * rows)));
  const wanted = Math.max(horizon ?? 1, Math.floor(TEST_PART * rows));
  const length = Math.max(1, Math.min(wanted, Math.floor((rows - least) * 0.6)));
  const last = rows - length;
  const apart = Math.max(1, Math.min(length, Math.floor((last - least) / Math.max(1, count - 1))));
  const origins = Array.from({ length: count }, (_, i) => last - (count - 1 - i) * apart);
  return origins
    .filter((origin) => origin >= Math.min(least, last))
    .map((origin) => ({
      train: [{ from: 0, to: origin }],
      test: { from: origin, to: origin + length },
    }));
}

/** The rows of the ranges below each other; a view where it is one range. */
export function tableOf(table: Table, ranges: readonly Range[]): Table {
  const parts = ranges.map(({ from, to }) => sliceRows(table, from, to));
  return parts.length === 1 ? parts[0]! : concatTables(parts);
}
