import { limits } from "#lib/contract/limits";
import type { Cell } from "#lib/contract/prediction-columns";
import type { Column } from "#lib/contract/table";
import { csvOptionsOfFormat, type InputFormat } from "#lib/domain/models/input-format";
import { columnsFor, finishColumns } from "#lib/engine/csv/file-columns";
import { type Issue, IssueList } from "#lib/engine/csv/issues";
import type { CsvOptions } from "#lib/engine/csv/options";

/** Matches a text with a time of day, not a date alone. */
const HAS_TIME = /\d[T ]+\d/;

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
    maxIssues: limits.errorDetails,
  };
  const issues = new IssueList(limits.errorDetails, header);
  const readers = columnsFor(header, options, false, issues);
  for (let row = 0; row < dates.length; row++) {
    readers[0]!.reader.push(text(dates[row]!));
    if (hours !== undefined && readers[1] !== undefined) readers[1].reader.push(text(hours[row]!));
  }
  const { columns } = finishColumns(readers, options, issues);
  const isDateAlone = (date: Cell) => text(date) !== "" && !HAS_TIME.test(text(date));
  if (lacksHours && dates.some(isDateAlone)) issues.add(hoursIssue(name, hoursName!));
  return { column: columns[0]!, issues };
}

/** Reads an input of dates as the CSV reader does. The model's check reports missing values. */
export function readDates(
  name: string,
  cells: readonly Cell[],
  format: InputFormat,
): { column: Column; issues: IssueList } {
  const issues = new IssueList(limits.errorDetails, [name]);
  const options: CsvOptions = {
    ...csvOptionsOfFormat(format),
    timestamp: null,
    maxIssues: limits.errorDetails,
  };
  const expected = { name, type: "timestamp" as const, missingAllowed: true };
  const [date] = columnsFor([name], { ...options, columns: [expected] }, false, issues);
  for (const cell of cells) date!.reader.push(text(cell));
  return { column: date!.reader.take(), issues };
}

function text(cell: Cell): string {
  return cell === null ? "" : cellText(cell).trim();
}

/** Without this issue, a row of an hourly series that has no hour would silently count as midnight. */
function hoursIssue(name: string, hours: string): Issue {
  return {
    row: null,
    column: hours,
    value: null,
    code: "missing_column",
    message: `The input has no "${hours}", and "${name}" has no time of day. Send "${hours}", or complete timestamps such as 2024-03-31T14:00:00Z in "${name}".`,
    expected: `"${hours}", or a time of day in "${name}"`,
  };
}

/** Returns a value as a CSV would contain it. Shortens an array or an object to `[…]` or `{…}`. */
export function cellText(cell: Cell): string {
  if (typeof cell !== "object" || cell === null) return String(cell);
  return Array.isArray(cell) ? "[…]" : "{…}";
}
