import { counted } from "#lib/contract/counted";
import type { Cell, PredictionColumns } from "#lib/contract/prediction-columns";
import type { CategoryColumn, Column, NumericColumn, Table } from "#lib/contract/table";
import type { InputFormat } from "#lib/domain/models/input-format";
import { badValue, notABoolean, notANumber, notInFormat } from "#lib/engine/csv/cell-issues";
import { type Issue, IssueList, shorten } from "#lib/engine/csv/issues";
import { numberReader } from "#lib/engine/csv/number-format";
import { readNumber } from "#lib/engine/csv/numbers";
import { valueReader } from "#lib/engine/csv/value-formats";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { cellText, readDates, readTimes } from "./input-times.ts";

type InputTable = {
  /** The readable features of the request, then its unknown columns, which the model's check reports by name. */
  table: Table;
  /** Arrays of unequal length, values of the wrong type, unreadable times. */
  issues: IssueList;
  /** Columns with such issues. Further findings in these columns only follow from them. */
  faulty: ReadonlySet<string>;
};

/**
 * Converts the columns of a prediction's input to a table. The table is bit-identical to that of a CSV with the same
 * values: numbers are taken as they are, and the CSV reader parses times. The model's own check reports missing features
 * and missing values.
 */
export function inputTable(
  input: PredictionColumns,
  features: readonly InputFeature[],
  format: InputFormat,
): InputTable {
  const names = Object.keys(input);
  const issues = new IssueList(names);
  const faulty = new Set<string>();
  const addIssue: AddIssue = (row, column, issue) => {
    issues.addLazily(row, column, issue);
    faulty.add(column);
  };
  const rowCount = commonLength(names, input);
  for (const name of names) {
    const { length } = input[name]!;
    if (length !== rowCount) addIssue(null, name, () => lengthIssue(name, length, rowCount));
  }
  let unread = names.length;
  const take = (name: string): Cell[] | undefined => {
    if (!Object.hasOwn(input, name)) return undefined;
    unread--;
    return input[name]!.length === rowCount ? input[name] : undefined;
  };
  const partNames = format.timestampColumns?.slice(1) ?? [];
  let arePartsRead = false;
  const columns: Column[] = [];
  for (const feature of features) {
    const cells = take(feature.name);
    if (cells === undefined) continue;
    if (feature.role !== "timestamp") {
      columns.push(readColumn(feature, cells, format, addIssue));
      continue;
    }
    const found = partNames.flatMap((part) => {
      const values = take(part);
      return values === undefined ? [] : [values];
    });
    arePartsRead = true;
    const parts = found.length === partNames.length ? found : [];
    const lacksParts = partNames.length > 0 && !partNames.some((part) => Object.hasOwn(input, part));
    const times = readTimes({ name: feature.name, dates: cells, parts, lacksParts, format });
    issues.addAll(times.issues);
    for (const { column } of times.issues.issues) if (column !== null) faulty.add(column);
    columns.push(times.column);
  }
  if (unread === 0) return { table: { rowCount, columns }, issues, faulty };
  const read = new Set(features.map(({ name }) => name));
  if (arePartsRead) for (const part of partNames) read.add(part);
  // These columns are only named in warnings. Their values are never read, so hundreds of thousands share them.
  const values = new Float64Array(rowCount);
  for (const name of names)
    if (!read.has(name) && input[name]!.length === rowCount) columns.push({ name, type: "number", values });
  return { table: { rowCount, columns }, issues, faulty };
}

/** Returns the most common array length; of two equally common lengths, the longer one. */
function commonLength(names: readonly string[], input: PredictionColumns): number {
  const first = names.length === 0 ? 0 : input[names[0]!]!.length;
  if (names.every((name) => input[name]!.length === first)) return first;
  const counts = new Map<number, number>();
  for (const name of names) counts.set(input[name]!.length, (counts.get(input[name]!.length) ?? 0) + 1);
  return [...counts].reduce(
    (best, [length, count]) =>
      count > best.count || (count === best.count && length > best.length) ? { length, count } : best,
    { length: 0, count: 0 },
  ).length;
}

function lengthIssue(column: string, length: number, rowCount: number): Issue {
  return {
    row: null,
    column,
    value: null,
    code: "ragged_row",
    message: `"${shorten(column)}" has ${counted(length, "value")}; other features have ${rowCount}.`,
    expected: counted(rowCount, "value"),
  };
}

type AddIssue = (row: number | null, column: string, issue: () => Issue) => void;

function readColumn(
  { name, type }: InputFeature,
  cells: readonly Cell[],
  format: InputFormat,
  addIssue: AddIssue,
): Column {
  if (type === "category") return readCategories(name, cells, format, addIssue);
  if (type === "timestamp") {
    const { column, issues } = readDates(name, cells, format);
    for (const issue of issues.issues) addIssue(issue.row, issue.column ?? name, () => issue);
    return column;
  }
  if (type === "boolean")
    return numericColumn(name, "boolean", cells, format, addIssue, readBoolean, booleanIssue);
  const rule = format.numberFormats?.find(({ column }) => column === name);
  const named = format.reading?.columnFormats[name];
  const read =
    (named === undefined ? null : valueReader(named)) ?? (rule === undefined ? null : numberReader(rule));
  if (read === null) return numericColumn(name, "number", cells, format, addIssue, readFinite, numberIssue);
  const readCell = (cell: Cell) => (typeof cell === "string" ? orNull(read(cell.trim())) : readFinite(cell));
  return numericColumn(name, "number", cells, format, addIssue, readCell, (row, column, cell) =>
    typeof cell === "string" && rule !== undefined
      ? notInFormat(row, column, cell.trim(), rule)
      : numberIssue(row, column, cell),
  );
}

const orNull = (value: number) => (Number.isNaN(value) ? null : value);

/** @param read returns null for a value of the wrong type */
function numericColumn(
  name: string,
  type: "number" | "boolean",
  cells: readonly Cell[],
  format: InputFormat,
  addIssue: AddIssue,
  read: (value: Cell) => number | null,
  issueOf: (row: number, column: string, cell: Cell) => Issue,
): NumericColumn {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    const value = isMissing(cell, format) ? Number.NaN : read(cell);
    if (value === null) addIssue(row + 1, name, () => issueOf(row + 1, name, cell));
    values[row] = value ?? Number.NaN;
  }
  return { name, type, values };
}

function readFinite(value: Cell): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function readBoolean(value: Cell): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === 0 || value === 1 ? value : null;
}

const booleanIssue = (row: number, column: string, cell: Cell) => notABoolean(row, column, cellText(cell));

/** Reads categories: trims strings, and converts numbers and booleans to their CSV text. */
function readCategories(
  name: string,
  cells: readonly Cell[],
  format: InputFormat,
  addIssue: AddIssue,
): CategoryColumn {
  const known = new Map<string, number>();
  const codes = Int32Array.from(cells, (cell, row) => {
    if (isMissing(cell, format)) return -1;
    if (typeof cell === "object") {
      addIssue(row + 1, name, () => textIssue(row + 1, name, cell));
      return -1;
    }
    const text = String(cell).trim();
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  });
  return { name, type: "category", codes, categories: [...known.keys()] };
}

function textIssue(row: number, column: string, cell: Cell): Issue {
  const text = cellText(cell);
  return badValue({ row, column, text, code: "not_a_text", reason: "is not a string", type: "category" });
}

/** Applies the rules of CSV: null stands for an empty cell. */
function isMissing(cell: Cell, { missing }: InputFormat): boolean {
  if (cell === null) return true;
  if (typeof cell === "number") return missing.some((text) => Number(text.replace(",", ".")) === cell);
  if (typeof cell !== "string") return false;
  const text = cell.trim();
  return text === "" || missing.includes(text);
}

/** Returns the issue that a CSV with the same text would have, or an issue that only JSON can have. */
function numberIssue(row: number, column: string, cell: Cell): Issue {
  const text = cellText(cell);
  if (typeof cell === "string" && Number.isNaN(readNumber(cell.trim(), false)))
    return notANumber(row, column, cell.trim(), false);
  // JSON can contain 1e400, which is parsed as infinity.
  if (typeof cell === "number") {
    const reason = "stands for a number beyond the range of a 64-bit float";
    return badValue({ row, column, text, code: "number_out_of_range", reason, type: "number" });
  }
  const reason = typeof cell === "string" ? "is a string: send the number without quotes" : "is not a number";
  return badValue({ row, column, text, code: "not_a_number", reason, type: "number" });
}
