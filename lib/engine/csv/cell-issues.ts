import type { ColumnType } from "#lib/contract/table";
import { type Issue, shorten } from "./issues.ts";
import { formatText, type NumberFormat } from "./number-format.ts";
import { explainNotANumber } from "./numbers.ts";

/** Expected value of each column type, as shown in validation issues. */
const expectedOf: Record<ColumnType, string> = {
  number: "a number",
  boolean: "true or false",
  category: "a text",
  timestamp: "a date or time such as 2024-03-31 or 2024-03-31T14:00:00Z",
};

/** Reason for a text that is not a time. Follows the value in the message. */
export const notATime = `is not ${expectedOf.timestamp}`;

/** Reports an empty cell or a null in a column that requires a value in every row. */
export function missingValue(row: number, column: string, type: ColumnType): Issue {
  const message = `Row ${row} has no value in column "${shorten(column)}".`;
  return { row, column, value: null, code: "missing_value", message, expected: expectedOf[type] };
}

/** Reports a text that `readNumber` rejects. */
export function notANumber(row: number, column: string, text: string, decimalComma: boolean): Issue {
  const { code, reason } = explainNotANumber(text, decimalComma);
  return badValue({ row, column, text, code, reason, type: "number" });
}

/** Reports a text that the column's number format does not read. */
export function notInFormat(row: number, column: string, text: string, format: NumberFormat): Issue {
  const { code } = explainNotANumber(text, format.decimalMark === ",");
  const reason = `is not a number in the format of the column: ${formatText(format)}`;
  return badValue({ row, column, text, code, reason, type: "number" });
}

export function notABoolean(row: number, column: string, text: string): Issue {
  const reason = "is neither true nor false";
  return badValue({ row, column, text, code: "not_a_boolean", reason, type: "boolean" });
}

/** Reports a time that an earlier row (`before`) already has. */
/** @param series values of the series, if the file has many */
export function duplicateTime(
  row: number,
  column: string,
  ms: number,
  before: number,
  series?: string,
): Issue {
  const value = new Date(ms).toISOString();
  const ofSeries = series === undefined ? "" : ` of the series ${shorten(series)}`;
  const message = `Row ${row}, column "${shorten(column)}": the time ${value}${ofSeries} is already in row ${before}. A series has one row per time.`;
  return { row, column, value, code: "timestamps_duplicate", message, expected: "each time once" };
}

/** @param reason the end of the sentence that starts with the value */
export function badValue({
  row,
  column,
  text,
  code,
  reason,
  type,
}: Pick<Issue, "code"> & {
  row: number;
  column: string;
  text: string;
  reason: string;
  type: ColumnType;
}): Issue {
  const value = shorten(text);
  const message = `Row ${row}, column "${shorten(column)}": "${value}" ${reason}.`;
  return { row, column, value, code, message, expected: expectedOf[type] };
}

/** Reports dates without the time of day whose column is absent. */
export function missingHours(column: string, hours: string): Issue {
  return {
    row: null,
    column: hours,
    value: null,
    code: "missing_column",
    message: `Column "${shorten(hours)}" is missing, and "${shorten(column)}" has no time of day. Add "${shorten(hours)}", or complete times such as 2024-03-31T14:00:00Z in "${shorten(column)}".`,
    expected: `"${shorten(hours)}", or a time of day in "${shorten(column)}"`,
  };
}

/** Reports a required column that is missing. `nearest` is the most similar name among the other columns. */
export function missingColumn(column: string, type: ColumnType | null, nearest: string | null): Issue {
  const hint = nearest === null ? "" : ` Did you mean "${shorten(nearest)}"?`;
  return {
    row: null,
    column,
    value: null,
    code: "missing_column",
    message: `Column "${shorten(column)}" is missing.${hint}`,
    expected: `a column "${shorten(column)}"${type === null ? "" : ` of type ${type}`}`,
    ...(nearest === null ? {} : { nearest }),
  };
}
