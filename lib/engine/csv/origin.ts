import type { Choice } from "#lib/contract/reading";
import type { CsvWarning, Issue } from "./issues.ts";

/**
 * Where the rows of a result are in the file: rows of a wide table became several rows, and rows of a sheet have numbers.
 * Plain data, so that it can be sent to a thread.
 */
export type Origin = {
  /** Long rows before each row of a wide table, and its columns; null if the table is long. */
  wide: { starts: number[]; times: readonly string[]; timeName: string; valueName: string } | null;
  /** The sheet of a workbook with its header, and from which row on the row of the sheet is how much greater. */
  sheet: {
    name: string;
    sheets: string[];
    header: readonly string[];
    /** Columns of the sheet in front of the header. */
    lead: number;
    shifts: [row: number, by: number][];
  } | null;
};

/** Rows of a result that are those of the file. */
export const inOrder: Origin = { wide: null, sheet: null };

type Place = { row: number | null; column: string | null };

/** Returns the row and the column of the file for those of a result. */
function placeIn({ wide }: Origin, { row, column }: Place): Place {
  if (wide === null || row === null) return { row, column };
  const at = rowAt(wide.starts, row);
  const time = wide.times[row - 1 - wide.starts[at]!];
  return {
    row: at + 1,
    column: column === wide.valueName || column === wide.timeName ? (time ?? column) : column,
  };
}

/** Returns the last index whose start is before a row. */
function rowAt(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! < row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns where a row is in the sheet, such as `sheet "Sales", cell B7`. */
function inSheet(sheet: NonNullable<Origin["sheet"]>, { row, column }: Place): string {
  const name = `sheet "${sheet.name}"`;
  if (row === null) return name;
  const [, by] = sheet.shifts.findLast(([from]) => from <= row) ?? [0, 1];
  const at = column === null ? -1 : sheet.header.indexOf(column);
  return at === -1
    ? `${name}, row ${row + by}`
    : `${name}, cell ${columnLetters(at + 1 + sheet.lead)}${row + by}`;
}

/** Returns `AA` for 27. */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  return `${column > 26 ? columnLetters((column - 1 - rest) / 26) : ""}${String.fromCharCode(65 + rest)}`;
}

/** Returns issues with the places of the file, also in their messages. Issues of one cell are the same issue. */
export function placeIssues(issues: readonly Issue[], origin: Origin): Issue[] {
  const placed = origin.wide === null ? [...issues] : placeLong(issues, origin, origin.wide);
  const { sheet } = origin;
  if (sheet === null) return placed;
  return placed.map((issue) => ({
    ...issue,
    message: `${issue.message.replace(/\.$/, "")} (${inSheet(sheet, issue)}).`,
  }));
}

function placeLong(issues: readonly Issue[], origin: Origin, wide: NonNullable<Origin["wide"]>): Issue[] {
  const seen = new Set<string>();
  return issues.flatMap((issue) => {
    const { row, column } = placeIn(origin, issue);
    // The name of a column holds the time.
    const isName = issue.column === wide.timeName && row !== null && issue.code !== "timestamps_duplicate";
    const message = inMessage(issue.message, origin, issue);
    const placed: Issue = {
      ...issue,
      row: isName ? null : row,
      column,
      message: isName ? message.replace(/^Row \d+, column/, "Name of column") : message,
      ...(issue.choices && { choices: issue.choices.map((choice) => placeChoice(choice, origin)) }),
    };
    const key = `${placed.code} ${placed.row} ${placed.column}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [placed];
  });
}

export function placeWarnings(warnings: readonly CsvWarning[], origin: Origin): CsvWarning[] {
  if (origin.wide === null) return [...warnings];
  return warnings.map((warning) => ({
    ...warning,
    message: inMessage(warning.message, origin, { row: warning.firstRow ?? null, column: warning.column }),
    ...(warning.firstRow !== undefined && {
      firstRow: placeIn(origin, { row: warning.firstRow, column: null }).row!,
    }),
    ...(warning.choices && { choices: warning.choices.map((choice) => placeChoice(choice, origin)) }),
  }));
}

/** Returns a message with the rows of the file, and the column of its first row. */
function inMessage(message: string, origin: Origin, { row, column }: Place): string {
  const place = placeIn(origin, { row, column });
  const placed = message.replace(
    /\b(rows? )(\d+)/gi,
    (_, word: string, digits: string) =>
      `${word}${placeIn(origin, { row: Number(digits), column: null }).row}`,
  );
  return place.column === column ? placed : placed.replace(`"${column}"`, `"${place.column}"`);
}

function placeChoice({ label, options, cells }: Choice, origin: Origin): Choice {
  const rowOf = (row: number) => placeIn(origin, { row, column: null }).row!;
  const { skipRows } = options as { skipRows?: number[] };
  const rows = skipRows && [...new Set(skipRows.map(rowOf))];
  return {
    label: label.replace(/\b(rows? )[\d, ]+$/, (_, word: string) => `${word}${rows?.join(", ") ?? ""}`),
    options: rows === undefined ? options : { ...options, skipRows: rows },
    cells: cells.map((cell) => ({ ...cell, row: cell.row === null ? null : rowOf(cell.row) })),
  };
}
