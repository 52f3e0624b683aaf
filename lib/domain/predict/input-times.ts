import type { Cell } from "#lib/contract/prediction-columns";
import type { Column } from "#lib/contract/table";
import { csvOptionsOfFormat, type InputFormat } from "#lib/domain/models/input-format";
import { columnsFor, finishColumns } from "#lib/engine/csv/file-columns";
import { IssueList } from "#lib/engine/csv/issues";
import type { CsvOptions } from "#lib/engine/csv/options";

/**
 * Reads times as the CSV reader does: from one column, or from the columns that are joined.
 *
 * @param request `parts` holds the values of the other columns; empty if `lacksParts`, or if they do not fit the dates
 */
export function readTimes(request: {
  name: string;
  dates: readonly Cell[];
  parts: readonly (readonly Cell[])[];
  lacksParts: boolean;
  format: InputFormat;
}): { column: Column; issues: IssueList } {
  const { name, dates, parts, lacksParts, format } = request;
  const partNames = format.timestampColumns?.slice(1) ?? [];
  const header = parts.length > 0 ? [name, ...partNames] : [name];
  const options: CsvOptions = {
    ...csvOptionsOfFormat(format),
    timestamp: header,
    absentHours: lacksParts ? partNames[0] : undefined,
  };
  const issues = new IssueList(header);
  const readers = columnsFor(header, options, fileOf(issues));
  for (let row = 0; row < dates.length; row++) {
    readers[0]!.reader.push(text(dates[row]!));
    parts.forEach((cells, at) => void readers[at + 1]?.reader.push(text(cells[row]!)));
  }
  const { columns } = finishColumns(readers, options, issues);
  return { column: columns[0]!, issues };
}

/** Reads an input of dates as the CSV reader does. The model's check reports missing values. */
export function readDates(
  name: string,
  cells: readonly Cell[],
  format: InputFormat,
): { column: Column; issues: IssueList } {
  const issues = new IssueList([name]);
  const options: CsvOptions = {
    ...csvOptionsOfFormat(format),
    timestamp: null,
  };
  const expected = { name, type: "timestamp" as const, missingAllowed: true };
  const [date] = columnsFor([name], { ...options, columns: [expected] }, fileOf(issues));
  for (const cell of cells) date!.reader.push(text(cell));
  return { column: date!.reader.take(), issues };
}

const fileOf = (issues: IssueList) => ({
  decimalComma: false,
  delimiter: "," as const,
  issues,
  warn: () => {},
});

function text(cell: Cell): string {
  return cell === null ? "" : cellText(cell).trim();
}

/** Returns a value as a CSV would contain it. Shortens an array or an object to `[…]` or `{…}`. */
export function cellText(cell: Cell): string {
  if (typeof cell !== "object" || cell === null) return String(cell);
  return Array.isArray(cell) ? "[…]" : "{…}";
}
