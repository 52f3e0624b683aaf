import type { ColumnType } from "#lib/contract/table";
import { type Fault, shorten } from "./issues.ts";
import { explainNotANumber } from "./numbers.ts";

/** What a value of each type has to be, in the words of every fault. */
const expectedOf: Record<ColumnType, string> = {
  number: "a number",
  boolean: "true or false",
  category: "a text",
  timestamp: "a date or time such as 2024-03-31 or 2024-03-31T14:00:00Z",
};

/** Of a text that is no time, after the value: with what would be one. */
export const notATime = `is not ${expectedOf.timestamp}`;

/** An empty cell, or a null, in a column that must have a value in every row. */
export function missingValue(row: number, column: string, type: ColumnType): Fault {
  const message = `Row ${row} has no value in column "${shorten(column)}".`;
  return { row, column, value: null, code: "missing_value", message, expected: expectedOf[type] };
}

/** A text that `readNumber` takes for no number. */
export function notANumber(row: number, column: string, text: string, decimalComma: boolean): Fault {
  const { code, reason } = explainNotANumber(text, decimalComma);
  return badValue({ row, column, text, code, reason, type: "number" });
}

export function notABoolean(row: number, column: string, text: string): Fault {
  const reason = "is neither true nor false";
  return badValue({ row, column, text, code: "not_a_boolean", reason, type: "boolean" });
}

/** A time that another row has already (`before`, its row). */
export function duplicateTime(row: number, column: string, ms: number, before: number): Fault {
  const value = new Date(ms).toISOString();
  const message = `Row ${row}, column "${shorten(column)}": the time ${value} also stands in row ${before}; a series has one row a time.`;
  return { row, column, value, code: "timestamps_duplicate", message, expected: "each time once" };
}

/** @param reason goes on after the value, as `notATime` does */
export function badValue({
  row,
  column,
  text,
  code,
  reason,
  type,
}: Pick<Fault, "code"> & {
  row: number;
  column: string;
  text: string;
  reason: string;
  type: ColumnType;
}): Fault {
  const value = shorten(text);
  const message = `Row ${row}, column "${shorten(column)}": "${value}" ${reason}.`;
  return { row, column, value, code, message, expected: expectedOf[type] };
}

/** A column that is needed and not there. `nearest`: the one of the others that may be meant. */
export function missingColumn(column: string, type: ColumnType | null, nearest: string | null): Fault {
  const hint = nearest === null ? "" : ` Did you mean "${shorten(nearest)}"?`;
  return {
    row: null,
    column,
    value: null,
    code: "missing_column",
    message: `There is no column "${shorten(column)}".${hint}`,
    expected: `a column "${shorten(column)}"${type === null ? "" : ` of type ${type}`}`,
    ...(nearest === null ? {} : { nearest }),
  };
}
