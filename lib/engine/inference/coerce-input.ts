import type { CategoryColumn, Column, ColumnType } from "#lib/contract/table";

/**
 * The column in the model's type, and the rows (from 0) whose values do not fit. Those values are missing in the
 * column.
 */
type Coerced = { column: Column; misfits: readonly number[] };

const none: readonly number[] = [];

const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const BOOLEANS = new Map([
  ["true", 1],
  ["false", 0],
  ["1", 1],
  ["0", 0],
]);

/**
 * Converts a column to the model's type if that loses nothing: plain numeric text to numbers, numbers to categories,
 * 0 and 1 to booleans. All other values are misfits. Timestamps are never inferred from numbers or text.
 */
export function coerceColumn(column: Column, type: ColumnType): Coerced {
  if (column.type === type) return { column, misfits: none };
  if (type === "category")
    return { column: column.type === "category" ? column : asCategory(column), misfits: none };
  const { name } = column;
  const misfits: number[] = [];
  if (column.type === "category") {
    const parsed = column.categories.map((text) => parseText(text, type));
    const values = Float64Array.from(column.codes, (code, row) => {
      if (code < 0) return Number.NaN;
      const value = parsed[code]!;
      if (Number.isNaN(value)) misfits.push(row);
      return value;
    });
    return { column: { name, type, values }, misfits };
  }
  const fits = (value: number) =>
    type === "number" ? column.type === "boolean" : type === "boolean" && (value === 0 || value === 1);
  const values = column.values.map((value, row) => {
    if (Number.isNaN(value) || fits(value)) return value;
    misfits.push(row);
    return Number.NaN;
  });
  return { column: { name, type, values }, misfits };
}

/** Returns the text of a row's value for a message; null if the value is missing. */
export function valueText(column: Column, row: number): string | null {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  if (Number.isNaN(value)) return null;
  if (column.type === "boolean") return value === 0 ? "false" : "true";
  return column.type === "timestamp" ? new Date(value).toISOString() : String(value);
}

function parseText(text: string, type: ColumnType): number {
  const trimmed = text.trim();
  if (type === "number") return PLAIN_NUMBER.test(trimmed) ? finite(Number(trimmed)) : Number.NaN;
  if (type === "boolean") return BOOLEANS.get(trimmed.toLowerCase()) ?? Number.NaN;
  return Number.NaN;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

function asCategory(column: Exclude<Column, CategoryColumn>): CategoryColumn {
  const codeOf = new Map<number, number>();
  const categories: string[] = [];
  const codes = new Int32Array(column.values.length);
  column.values.forEach((value, row) => {
    if (Number.isNaN(value)) {
      codes[row] = -1;
      return;
    }
    let code = codeOf.get(value);
    if (code === undefined) {
      code = categories.push(valueText(column, row)!) - 1;
      codeOf.set(value, code);
    }
    codes[row] = code;
  });
  return { name: column.name, type: "category", codes, categories };
}
