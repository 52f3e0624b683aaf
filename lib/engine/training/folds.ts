import type { Table } from "#lib/contract/table";
import { concatTables } from "#lib/engine/table/concat";
import { sliceRows } from "#lib/engine/table/rows";

/** Rows `from` to `to` - 1. */
export type Range = { from: number; to: number };

/** Training rows to fit on and other training rows to test on; excludes the validation rows. */
export type Fold = { train: Range[]; test: Range };

const TABLE_FOLDS = 5;

/** Splits rows in random order into five folds; each is predicted from all others. */
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
/** Fraction of the rows that each origin of a long series predicts. */
const TEST_PART = 0.15;
/** Minimum fraction of a short series to fit on. */
const LEARNED_PART = 0.4;

/**
 * Returns rolling-origin back-tests (Tashman 2000), the latest last: fit on the rows before the origin, predict the
 * rows after it. Each origin predicts the horizon, or more if there are enough rows. Folds of a short series overlap,
 * and predict fewer steps if too few rows would remain to fit on.
 *
 * @param horizon steps ahead that the model is used for; null for rows without a series
 * @param learnedMin minimum number of rows to fit on
 */
export function rollingFolds(rows: number, horizon: number | null, learnedMin: number): Fold[] {
  const least = Math.min(rows - 1, Math.max(learnedMin, Math.floor(LEARNED_PART * rows)));
  const desired = Math.max(horizon ?? 1, Math.floor(TEST_PART * rows));
  const length = Math.max(1, Math.min(desired, Math.floor((rows - least) * 0.6)));
  const last = rows - length;
  const apart = Math.max(1, Math.min(length, Math.floor((last - least) / (ORIGINS - 1))));
  const origins = Array.from({ length: ORIGINS }, (_, i) => last - (ORIGINS - 1 - i) * apart);
  return origins
    .filter((origin) => origin >= Math.min(least, last))
    .map((origin) => ({
      train: [{ from: 0, to: origin }],
      test: { from: origin, to: origin + length },
    }));
}

/** Returns the rows of the ranges as one table; a view if there is one range. */
export function tableOf(table: Table, ranges: readonly Range[]): Table {
  const parts = ranges.map(({ from, to }) => sliceRows(table, from, to));
  return parts.length === 1 ? parts[0]! : concatTables(parts);
}

/** Returns the values of the given rows, which must be as many as the values. */
export function sampled<T extends Float32Array | Float64Array>(values: T, rows: Int32Array): T {
  const drawn = values.slice() as T;
  for (let at = 0; at < rows.length; at++) drawn[at] = values[rows[at]!]!;
  return drawn;
}
