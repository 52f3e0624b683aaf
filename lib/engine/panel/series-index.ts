import type { CategoryColumn, Table } from "#lib/contract/table";
import { requireColumn } from "#lib/engine/table/columns";

/**
 * The series of a panel's rows. For example, rows of the columns store and item, with the values (A, 1), (A, 2), (A, 1), have
 * the series [["A", "1"], ["A", "2"]], and `ofRow` is 0, 1, 0.
 */
export type SeriesIndex = {
  /** Names of the series columns. */
  columns: readonly string[];
  /** Values of each series, in the order of `columns`; series in the order of their first rows. "" is a missing value. */
  values: string[][];
  /** Place in `values` of each row's series. */
  ofRow: Int32Array;
};

/**
 * Finds the series of each row.
 *
 * @param columns names of the series columns, which hold categories
 * @throws {RangeError} if a column is absent or holds no categories: callers check before
 */
export function indexSeries(table: Table, columns: readonly string[]): SeriesIndex {
  const read = columns.map((name) => categoriesOf(table, name));
  const ofRow = new Int32Array(table.rowCount);
  const places = new Map<number | string, number>();
  const values: string[][] = [];
  const isSmall = read.reduce((size, { categories }) => size * (categories.length + 1), 1) < 2 ** 53;
  for (let row = 0; row < table.rowCount; row++) {
    // Numbers are faster keys than texts. They suffice unless the columns have very many combinations.
    const key = isSmall
      ? read.reduce((sum, { categories, codes }) => sum * (categories.length + 1) + codes[row]! + 1, 0)
      : read.map(({ codes }) => codes[row]!).join();
    const known = places.get(key);
    if (known !== undefined) {
      ofRow[row] = known;
      continue;
    }
    places.set(key, values.length);
    ofRow[row] = values.length;
    values.push(read.map(({ codes, categories }) => categories[codes[row]!] ?? ""));
  }
  return { columns, values, ofRow };
}

/** Returns the rows of each series, in their order. */
export function rowsOfSeries({ values, ofRow }: Pick<SeriesIndex, "values" | "ofRow">): Int32Array[] {
  const counts = new Int32Array(values.length);
  for (const place of ofRow) counts[place]!++;
  const rows = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  ofRow.forEach((place, row) => {
    rows[place]![counts[place]!++] = row;
  });
  return rows;
}

/** Returns a text that identifies a series among those of the same columns. */
export const seriesKey = (values: readonly string[]): string => JSON.stringify(values);

/** Returns the text for a message: `store "A", item "7"`. */
export const seriesText = (columns: readonly string[], values: readonly string[]): string =>
  columns.map((name, at) => `${name} ${JSON.stringify(values[at])}`).join(", ");

function categoriesOf(table: Table, name: string): CategoryColumn {
  const column = requireColumn(table, name);
  if (column.type === "category") return column;
  throw new RangeError(`The series column "${name}" holds ${column.type} values, not categories.`);
}
