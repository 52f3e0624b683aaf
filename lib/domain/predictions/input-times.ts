import type { Cell } from "#lib/contract/prediction-columns";
import type { Column } from "#lib/contract/table";
import { csvOptionsOfFormat, type InputFormat } from "#lib/domain/models/input-format";
import { columnsFor, finishColumns } from "#lib/engine/csv/file-columns";
import { IssueList } from "#lib/engine/csv/issues";
import type { CsvOptions } from "#lib/engine/csv/options";

/**
 * Reads times as the CSV reader does: from one column, or from dates and hours to join.
 *
 * @param request `hours` holds the values of the second column; undefined if `lacksHours`, or if they do not fit the dates
 */
export function readTimes(request: {
  name: string;
  dates: readonly Cell[];
  hours: readonly Cell[] | undefined;
  lacksHours: boolean;
  format: InputFormat;
}): { column: Column; issues: IssueList } {
  const { name, dates, hours, lacksHours, format } = request;
  const hoursName = format.timestampColumns?.[1];
  const header = hoursName !== undefined && hours !== undefined ? [name, hoursName] : [name];
  const options: CsvOptions = {
    ...csvOptionsOfFormat(format),
    timestamp: header,
    absentHours: lacksHours ? hoursName : undefined,
  };
  const issues = new IssueList(header);
  const readers = columnsFor(header, options, false, issues);
  for (let row = 0; row < dates.length; row++) {
    readers[0]!.reader.push(text(dates[row]!));
    if (hours !== undefined && readers[1] !== undefined) readers[1].reader.push(text(hours[row]!));
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
  const [date] = columnsFor([name], { ...options, columns: [expected] }, false, issues);
  for (const cell of cells) date!.reader.push(text(cell));
  return { column: date!.reader.take(), issues };
}

function text(cell: Cell): string {
  return cell === null ? "" : cellText(cell).trim();
}

/** Returns a value as a CSV would contain it. Shortens an array or an object to `[…]` or `{…}`. */
export function cellText(cell: Cell): string {
  if (typeof cell !== "object" || cell === null) return String(cell);
  return Array.isArray(cell) ? "[…]" : "{…}";
}
