import type { Column, Table } from "#lib/contract/table";

/** Returns a comparison of a row of one column with a row of another column of the same type. */
export function cellsEqual(before: Column, after: Column): (row: number, other: number) => boolean {
  if (before.type === "category" && after.type === "category") {
    const codeOf = new Map(after.categories.map((category, code) => [category, code]));
    const same = before.categories.map((category) => codeOf.get(category) ?? -2);
    return (row, other) => (same[before.codes[row]!] ?? -1) === after.codes[other];
  }
  if (before.type === "category" || after.type === "category") return () => false;
  return (row, other) => Object.is(before.values[row], after.values[other]);
}

/** Returns the number of rows at the start that are equal in both tables; 0 if their columns differ. */
export function equalUntil(before: Table, after: Table): number {
  const isAlike =
    before.columns.length === after.columns.length &&
    before.columns.every(
      ({ name, type }, at) => name === after.columns[at]!.name && type === after.columns[at]!.type,
    );
  if (!isAlike) return 0;
  let equal = Math.min(before.rowCount, after.rowCount);
  for (const [at, column] of before.columns.entries()) {
    const isEqual = cellsEqual(column, after.columns[at]!);
    let row = 0;
    while (row < equal && isEqual(row, row)) row++;
    equal = row;
  }
  return equal;
}

/** Rows (indexes from 0) that differ between two tables. A changed row is a pair: its index before and after. */
export type RowDifferences = {
  added: number[];
  removed: number[];
  changed: [before: number, after: number][];
};

/**
 * Finds the rows that differ, by the columns that both tables have with the same type.
 *
 * With `time`, whose values ascend in both tables, rows of the same time are the same row. Without it, equal rows are the
 * same row, and a row that is replaced between the same neighbours is changed. Example: from `a b c` to `a x c d`, the
 * row `b` changed to `x`, and `d` was added.
 */
export function compareRows(before: Table, after: Table, time: string | null): RowDifferences {
  const pairs = sharedColumns(before, after);
  const times = pairs.find(([{ name, type }]) => name === time && type === "timestamp");
  return times === undefined
    ? compareContents(before, after, pairs)
    : compareTimes(before, after, pairs, times);
}

/** Returns the columns that both tables have with the same type. */
export function sharedColumns(before: Table, after: Table): [Column, Column][] {
  return before.columns.flatMap((column): [Column, Column][] => {
    const other = after.columns.find(({ name, type }) => name === column.name && type === column.type);
    return other === undefined ? [] : [[column, other]];
  });
}

function compareTimes(
  before: Table,
  after: Table,
  pairs: [Column, Column][],
  times: [Column, Column],
): RowDifferences {
  const isEqual = rowsEqual(pairs);
  const [former, latter] = times.map((column) => (column.type === "category" ? [] : column.values));
  const differences: RowDifferences = { added: [], removed: [], changed: [] };
  let [row, other] = [0, 0];
  while (row < before.rowCount || other < after.rowCount) {
    const [at, otherAt] = [former![row] ?? Infinity, latter![other] ?? Infinity];
    if (at < otherAt) differences.removed.push(row++);
    else if (at > otherAt) differences.added.push(other++);
    else {
      if (!isEqual(row, other)) differences.changed.push([row, other]);
      row++;
      other++;
    }
  }
  return differences;
}

function compareContents(before: Table, after: Table, pairs: [Column, Column][]): RowDifferences {
  const isEqual = rowsEqual(pairs);
  const shorter = Math.min(before.rowCount, after.rowCount);
  let start = 0;
  while (start < shorter && isEqual(start, start)) start++;
  let end = 0;
  while (end < shorter - start && isEqual(before.rowCount - 1 - end, after.rowCount - 1 - end)) end++;
  const keyOf = (side: 0 | 1) => {
    const columns = pairs.map((pair) => pair[side]);
    return (row: number) =>
      JSON.stringify(
        columns.map((column) =>
          column.type === "category" ? (column.categories[column.codes[row]!] ?? null) : column.values[row],
        ),
      );
  };
  const [keyBefore, keyAfter] = [keyOf(0), keyOf(1)];
  const unmatched = new Map<string, number[]>();
  for (let row = before.rowCount - end - 1; row >= start; row--) {
    const key = keyBefore(row);
    const rows = unmatched.get(key);
    if (rows) rows.push(row);
    else unmatched.set(key, [row]);
  }
  const added: number[] = [];
  for (let row = start; row < after.rowCount - end; row++) {
    if (unmatched.get(keyAfter(row))?.pop() === undefined) added.push(row);
  }
  return pairReplaced(
    [...unmatched.values()].flat().sort((a, b) => a - b),
    added,
  );
}

/** Pairs removed and added rows that stand between the same rows. */
function pairReplaced(removed: number[], added: number[]): RowDifferences {
  const differences: RowDifferences = { added: [], removed: [], changed: [] };
  let [at, other] = [0, 0];
  while (at < removed.length || other < added.length) {
    const place = (removed[at] ?? Infinity) - at;
    const otherPlace = (added[other] ?? Infinity) - other;
    if (place < otherPlace) differences.removed.push(removed[at++]!);
    else if (place > otherPlace) differences.added.push(added[other++]!);
    else differences.changed.push([removed[at++]!, added[other++]!]);
  }
  return differences;
}

/** Returns a comparison of a row with another row, by pairs of columns. */
export function rowsEqual(pairs: readonly [Column, Column][]): (row: number, other: number) => boolean {
  const equal = pairs.map(([column, other]) => cellsEqual(column, other));
  return (row, other) => equal.every((isEqual) => isEqual(row, other));
}
