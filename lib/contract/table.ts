/**
 * Columns in memory: read by the CSV module, transformed by feature steps, stored by scenarios. Contains only types, so
 * that the browser, the parser and the numeric code share them without importing each other.
 */

export type ColumnType = "number" | "category" | "boolean" | "timestamp";

/** Values are float64; NaN is missing. Booleans are 0 and 1; timestamps are epoch milliseconds, UTC. */
export type NumericColumn = {
  name: string;
  type: "number" | "boolean" | "timestamp";
  values: Float64Array;
};

/** Dictionary-coded text: `codes[row]` indexes `categories`; -1 is missing. */
export type CategoryColumn = {
  name: string;
  type: "category";
  codes: Int32Array;
  categories: string[];
};

export type Column = NumericColumn | CategoryColumn;

/** All columns have `rowCount` values. Names are unique. */
export type Table = { rowCount: number; columns: Column[] };
