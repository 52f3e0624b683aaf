import type { CorrectRows } from "#lib/contract/dataset-versions";
import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import { missingValue } from "#lib/engine/csv/cell-issues";
import { optionsFor } from "#lib/engine/csv/check-against";
import type { Issue } from "#lib/engine/csv/issues";
import { isWithinYears, readIsoText } from "#lib/engine/csv/timestamps";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { findColumn } from "#lib/engine/table/columns";
import type { ErrorDetail } from "#lib/platform/errors/domain-error";
import { inputIssuesError } from "./csv-error.ts";
import { readCsvFile } from "./read-csv-file.ts";
import { csvOptionsOf, type DatasetSettings } from "./settings.ts";

/** Values of a column by corrected row, in the order of `set`; undefined for a row that keeps its value. */
export type CorrectedCells = (number | string | null | undefined)[];

type Cell = number | string | boolean | null;

/**
 * Reads the corrected values by the types of the columns. Texts are read as in a CSV of appended rows: they are written
 * into one, with the column's formats.
 *
 * @throws {DomainError} input_invalid with every issue
 */
export async function readCorrections(
  { set = [], delete: deleted = [] }: CorrectRows,
  table: Table,
  settings: DatasetSettings,
): Promise<ReadonlyMap<string, CorrectedCells>> {
  const details: ErrorDetail[] = [];
  const add = (code: string, message: string, place: Pick<ErrorDetail, "row" | "column" | "value">) =>
    details.push({ field: "set", code, message, ...place });
  const seen = new Set<number>();
  for (const row of [...set.map((one) => one.row), ...deleted]) {
    if (row > table.rowCount)
      add("unknown_row", `Row ${row} does not exist. The dataset has ${table.rowCount} rows.`, { row });
    else if (seen.has(row)) add("repeated_row", `Row ${row} is named twice. Name each row once.`, { row });
    seen.add(row);
  }
  const names = [...new Set(set.flatMap(({ values }) => Object.keys(values)))];
  const columns = names.flatMap((name) => {
    const column = findColumn(table, name);
    const issue = column === undefined ? unknown(name, table) : partIssue(name, settings);
    if (issue !== null) add(issue.code, issue.message, { column: name });
    return column === undefined || issue !== null ? [] : [column];
  });
  const [timestamp] = settings.timestampColumns ?? [];
  const read = new Map<string, CorrectedCells>();
  const texts: { column: Column; cells: string[] }[] = [];
  for (const column of columns) {
    const { name, type } = column;
    const cells: string[] = [];
    const values = set.map(({ row, values: given }) => {
      const cell = Object.hasOwn(given, name) ? given[name]! : undefined;
      const value = directValue(column, cell);
      const isText =
        value === undefined && cell !== undefined && (type === "category" || typeof cell !== "number");
      cells.push(isText ? String(cell) : "");
      if (value === null && name === timestamp)
        details.push({ field: "set", ...missingValue(row, name, type) });
      if (value === undefined && cell !== undefined && !isText)
        add("wrong_type", `Row ${row}: column "${name}" has the type ${type}, not the number ${cell}.`, {
          row,
          column: name,
          value: String(cell),
        });
      return value;
    });
    read.set(name, values);
    if (cells.some((cell) => cell !== "")) texts.push({ column, cells });
  }
  if (texts.length > 0) {
    const file = await readTexts(texts, settings);
    details.push(...file.issues.map((issue) => ({ field: "set", ...placed(issue, set) })));
    for (const { column, cells } of texts) {
      const found = findColumn(file.table, column.name);
      const values = read.get(column.name)!;
      for (const [at, cell] of cells.entries()) if (cell !== "" && found) values[at] = storedValue(found, at);
    }
  }
  if (details.length > 0)
    throw inputIssuesError("The correction", details.slice(0, limits.errorDetails), details.length);
  return read;
}

function unknown(name: string, table: Table) {
  const nearest = nameFinder(table.columns.map((column) => column.name))(name);
  const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
  return { code: "unknown_column", message: `The dataset has no column "${name}".${hint}` };
}

/** A time of several columns is stored as one. Its parts cannot change alone. */
function partIssue(name: string, { timestampColumns, resample }: DatasetSettings) {
  const isTime = timestampColumns?.includes(name) === true;
  if (!isTime || (timestampColumns.length === 1 && resample === null)) return null;
  const message = `"${name}" is part of a time that was joined from the file. Delete the row, or replace the file.`;
  return { code: "joined_time", message };
}

/**
 * Returns the stored form of a value that needs no reading; undefined for others. Times with a zone are those that the rows
 * show, so any column of times takes them.
 */
function directValue({ type }: Column, cell: Cell | undefined): number | string | null | undefined {
  if (cell === null || cell === "") return null;
  if (type === "number" && typeof cell === "number") return cell;
  if (type === "timestamp" && typeof cell === "string") {
    const { ms, zoned } = readIsoText(cell.trim());
    return zoned && isWithinYears(ms) ? ms : undefined;
  }
  if (type === "boolean")
    return cell === true || cell === 1 ? 1 : cell === false || cell === 0 ? 0 : undefined;
  return undefined;
}

/** Reads one line for each corrected row. */
function readTexts(texts: { column: Column; cells: string[] }[], settings: DatasetSettings) {
  const mark = settings.reading?.decimalMark === "," ? ";" : ",";
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = [
    texts.map(({ column }) => quoted(column.name)).join(mark),
    ...texts[0]!.cells.map((_, at) => texts.map(({ cells }) => quoted(cells[at]!)).join(mark)),
  ];
  const [timestamp] = settings.timestampColumns ?? [];
  const {
    headerRow: _,
    storedEncoding: __,
    timestampFormat,
    columnFormats,
    ...options
  } = csvOptionsOf(settings);
  const isNamed = timestamp !== undefined && timestampFormat != null && timestampFormat !== "unstored";
  const features = texts.map(({ column: { name, type } }) => ({
    name,
    type,
    role: "input" as const,
    required: true,
    missingAllowed: true,
  }));
  return readCsvFile(
    async () =>
      (async function* () {
        yield new TextEncoder().encode(`${lines.join("\n")}\n`);
      })(),
    optionsFor(features, {
      ...options,
      categories: [],
      timestamp: null,
      ...(timestampFormat === "unstored" && { timestampFormat }),
      columnFormats: { ...columnFormats, ...(isNamed && { [timestamp]: timestampFormat }) },
    }),
  );
}

function placed(issue: Issue, set: NonNullable<CorrectRows["set"]>): Issue {
  const row = issue.row === null ? null : set[issue.row - 1]!.row;
  return {
    ...issue,
    row,
    message: issue.message.replace(new RegExp(`\\b(row) ${issue.row}\\b`, "i"), `$1 ${row}`),
  };
}

function storedValue(column: Column, row: number): number | string | null {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  return Number.isNaN(value) ? null : value;
}
