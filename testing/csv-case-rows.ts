import type { Table } from "#lib/contract/table";
import type { ExpectedFeature } from "#lib/engine/csv/check-against";
import { requireColumn } from "#lib/engine/table/columns";

export type CaseRow = {
  when: string;
  temp: number | null;
  city: string | null;
  open: boolean | null;
  load: number;
};

export const caseColumns = ["when", "temp", "city", "open", "load"] as const;

export const day = (date: string) => `${date}T00:00:00.000Z`;

export const caseRows: CaseRow[] = [
  { when: day("2024-03-01"), temp: 1.5, city: "Bonn", open: true, load: 10 },
  { when: day("2024-03-14"), temp: -2, city: "Köln", open: false, load: 12.25 },
  { when: day("2024-03-15"), temp: null, city: "Bonn", open: false, load: -3 },
  { when: day("2024-03-31"), temp: 0.125, city: null, open: true, load: 7 },
];

/** Returns a column's values in the notation of the cases. */
export function valuesOf(table: Table, name: string): unknown[] {
  const column = requireColumn(table, name);
  if (column.type === "category") return Array.from(column.codes, (code) => column.categories[code] ?? null);
  return Array.from(column.values, (value) => {
    if (Number.isNaN(value)) return null;
    if (column.type === "timestamp") return new Date(value).toISOString();
    return column.type === "boolean" ? value === 1 : value;
  });
}

/** Functions that format cells. Defaults: ISO times, plain numbers, `true` and `false`, unchanged names. */
export type CellFormats = {
  when?: (iso: string) => string;
  number?: (value: number) => string;
  open?: (value: boolean) => string;
  header?: (name: string) => string;
};

/** Returns rows as the cells of a file, header first. */
export function cellsOf(
  rows: readonly CaseRow[],
  { when = (iso) => iso, number = String, open = String, header = (name) => name }: CellFormats = {},
  order: readonly (keyof CaseRow)[] = caseColumns,
): string[][] {
  const cell = (value: CaseRow[keyof CaseRow], name: keyof CaseRow) => {
    if (value === null) return "";
    if (typeof value === "number") return number(value);
    if (typeof value === "boolean") return open(value);
    return name === "when" ? when(value) : value;
  };
  return [order.map(header), ...rows.map((row) => order.map((name) => cell(row[name], name)))];
}

export const withDecimalComma = (value: number) => String(value).replace(".", ",");

/** Returns the rows' cells, followed by extra columns. */
export const withExtraColumns = (rows: readonly CaseRow[], names: readonly string[]) =>
  cellsOf(rows).map((row, at) => [...row, ...names.map((name) => (at === 0 ? name : "1"))]);

/** Features of a model that was trained on such rows. */
export const caseFeatures: ExpectedFeature[] = [
  { name: "when", type: "timestamp", role: "timestamp", required: true },
  { name: "temp", type: "number", role: "input", required: true, missingAllowed: true },
  { name: "city", type: "category", role: "input", required: true, missingAllowed: true },
  { name: "open", type: "boolean", role: "input", required: true, missingAllowed: false },
];
