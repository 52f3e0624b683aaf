import type { Column, Table } from "#lib/contract/table";

/**
 * Returns the names of columns that hold at most one value within each series; missing values do not count.
 *
 * @param ofRow place of each row's series
 */
export function constantColumns({ columns }: Table, ofRow: Int32Array): string[] {
  return columns.filter((column) => isConstant(column, ofRow)).map(({ name }) => name);
}

function isConstant(column: Column, ofRow: Int32Array): boolean {
  const values = column.type === "category" ? column.codes : column.values;
  const isMissing = column.type === "category" ? (value: number) => value < 0 : Number.isNaN;
  const found: (number | undefined)[] = [];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (isMissing(value)) continue;
    const place = ofRow[row]!;
    if (found[place] === undefined) found[place] = value;
    else if (found[place] !== value) return false;
  }
  return true;
}
