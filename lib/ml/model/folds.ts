import type { Table } from "#lib/contract/table";
import { concatTables } from "#lib/ml/table/concat";
import { sliceRows } from "#lib/ml/table/rows";
import type { PreparedData } from "./prepare-data.ts";

/** Rows `from` to `to` - 1. */
export type Range = { from: number; to: number };

/** Training rows to learn from, and others to be judged on; the validation rows are in none. */
export type Fold = { train: Range[]; test: Range };

/** Parts of the training rows at which a back-test of a series begins; each ends where the next one begins. */
const ORIGINS = [0.55, 0.7, 0.85];
const TABLE_FOLDS = 5;
/** Fewer training rows than this make one fold: the first four fifths and the last. */
const ROWS_MIN = 60;

/**
 * Back-tests inside the training rows. For a series with rolling origin (Tashman 2000): what was known then is learned
 * from, what came next is predicted; the latest comes last. Rows in random order are parted into five, each predicted
 * from all others.
 */
export function backTestFolds({ trainingRows }: PreparedData, isSeries: boolean): Fold[] {
  if (trainingRows < ROWS_MIN) return foldsAt([0.8], trainingRows);
  if (isSeries) return foldsAt(ORIGINS, trainingRows);
  const cut = (part: number) => Math.floor((part * trainingRows) / TABLE_FOLDS);
  return Array.from({ length: TABLE_FOLDS }, (_, part) => {
    const test = { from: cut(part), to: cut(part + 1) };
    const train = [
      { from: 0, to: test.from },
      { from: test.to, to: trainingRows },
    ];
    return { train: train.filter(({ from, to }) => to > from), test };
  });
}

function foldsAt(origins: readonly number[], rows: number): Fold[] {
  const cuts = [...origins.map((part) => Math.floor(part * rows)), rows];
  return origins.map((_, i) => ({
    train: [{ from: 0, to: cuts[i]! }],
    test: { from: cuts[i]!, to: cuts[i + 1]! },
  }));
}

/** The rows of the ranges below each other; a view where it is one range. */
export function tableOf(table: Table, ranges: readonly Range[]): Table {
  const parts = ranges.map(({ from, to }) => sliceRows(table, from, to));
  return parts.length === 1 ? parts[0]! : concatTables(parts);
}
