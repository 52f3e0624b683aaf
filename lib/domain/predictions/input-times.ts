import type { Cell } from "#lib/contract/prediction-columns";
import type { Column } from "#lib/contract/table";
import { csvOptionsOfFormat, type InputFormat } from "#lib/domain/models/input-format";
import { columnsFor, finishColumns } from "#lib/engine/csv/file-columns";
import { type Fault, FaultList } from "#lib/engine/csv/issues";
import type { CsvOptions } from "#lib/engine/csv/options";
import { cellText } from "#lib/predictions/cell-text";

const LISTED_MAX = 100;
/** A text with a time of day, not a date alone. */
const HAS_TIME = /\d[T ]+\d/;

/**
 * Reads times as the CSV reader does: in one column, or dates and hours to be joined.
 *
 * @param request `hours` is what came under the second column's name
 */
export function readTimes(request: {
  name: string;
  dates: readonly Cell[];
  hours: readonly Cell[] | undefined;
  format: InputFormat;
}): { column: Column; faults: FaultList } {
  const { name, dates, hours, format } = request;
  const hoursName = format.timestampColumns?.[1];
  const header = hoursName !== undefined && hours !== undefined ? [name, hoursName] : [name];
  const options: CsvOptions = { ...csvOptionsOfFormat(format), timestamp: header, maxFaults: LISTED_MAX };
  const faults = new FaultList(LISTED_MAX, header);
  const readers = columnsFor(header, options, false, faults);
  for (let row = 0; row < dates.length; row++) {
    readers[0]!.reader.push(text(dates[row]!));
    if (hours !== undefined && readers[1] !== undefined) readers[1].reader.push(text(hours[row]!));
  }
  const { columns } = finishColumns(readers, options, faults);
  if (hoursName !== undefined && hours === undefined && dates.some((date) => !HAS_TIME.test(text(date)))) {
    faults.add(hoursFault(name, hoursName));
  }
  return { column: columns[0]!, faults };
}

function text(cell: Cell): string {
  return cell === null ? "" : cellText(cell).trim();
}

/** Without its hour, a row of an hourly series would silently be taken for midnight. */
function hoursFault(name: string, hours: string): Fault {
  return {
    row: null,
    column: hours,
    value: null,
    code: "missing_column",
    message: `The input has no "${hours}", and "${name}" does not tell the time of day. Send "${hours}", or whole times such as 2024-03-31T14:00:00Z in "${name}".`,
    expected: `"${hours}", or a time of day in "${name}"`,
  };
}
