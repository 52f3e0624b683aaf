import type { Column, NumericColumn } from "#lib/contract/table";

/** With fewer rows, values often differ by chance. */
const ROWS_MIN = 20;
/** Share of different texts from which a column names rows. */
const DISTINCT_SHARE = 0.95;

/** Names of columns that hold identifiers: `id`, `order_id`, `OrderID`, `key`, `customer number`. */
const identifierName =
  /(^|[\s_.-])(id|ids|uid|uuid|guid|key|index|idx|row|no|nr|num|number)$|[a-z](ID|Id|Key|No|Nr)$/;

/**
 * Returns the number of different values of a column that names or numbers the rows; otherwise null. Texts are
 * different in nearly every row. Whole numbers are different in every row, and leave no gaps or have an identifier's
 * name.
 */
export function identifierValues(column: Column): number | null {
  if (column.type === "category") {
    const present = column.codes.reduce((count, code) => count + (code < 0 ? 0 : 1), 0);
    if (present < ROWS_MIN) return null;
    const distinct = new Set(column.codes.filter((code) => code >= 0)).size;
    return distinct >= DISTINCT_SHARE * present ? distinct : null;
  }
  return column.type === "number" ? numberingValues(column) : null;
}

function numberingValues({ name, values }: NumericColumn): number | null {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isSafeInteger(value)) return null;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  if (values.length < ROWS_MIN) return null;
  const isDense = greatest - least + 1 === values.length;
  if (!isDense && !identifierName.test(name)) return null;
  return new Set(values).size === values.length ? values.length : null;
}
