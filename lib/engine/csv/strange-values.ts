import { counted } from "#lib/contract/counted";
import type { Choice } from "#lib/contract/reading";
import type { NumericColumn, Table } from "#lib/contract/table";
import { type CsvWarning, type Issue, shorten } from "./issues.ts";
import type { CsvOptions } from "./options.ts";
import { SUMMARY, skipping, summaryRows } from "./summary-rows.ts";
import { KNOWN_CODE } from "./units.ts";

/** A code for missing values lies this many times the range of the other values away from them. */
const FAR = 2;
/** A known code, and the only negative value of a column, may be nearer. */
const NEAR = 0.05;
/** Codes of a column. */
const CODES_MAX = 4;
/** Warns about values of a new dataset that are read, but probably mean something else: codes, sums and means. */
export function strangeValues(table: Table, options: CsvOptions): CsvWarning[] {
  if (options.columns !== undefined) return [];
  const numbers = table.columns.filter((column): column is NumericColumn => column.type === "number");
  return [...numbers.flatMap((column) => missingCodes(column)), ...summaryRows(table, numbers)];
}

function missingCodes({ name, values }: NumericColumn): CsvWarning[] {
  const codes: number[] = [];
  for (let left = values; codes.length < CODES_MAX; ) {
    const code = codeOf(endsOf(left));
    if (code === null) break;
    codes.push(code);
    left = left.filter((value) => value !== code);
  }
  return codes.map((code): CsvWarning => {
    const rows = values.reduce((count, value) => count + (value === code ? 1 : 0), 0);
    const firstRow = values.indexOf(code) + 1;
    const message = `Column "${shorten(name)}": ${code} is far from all other values (${counted(rows, "row")}, first in row ${firstRow}). If it means a missing value, add it to \`missing\`.`;
    const cells = [{ row: firstRow, text: String(code), reading: "missing" }];
    const choices: Choice[] = [
      { label: `Read ${code} as missing`, options: { missing: [String(code)] }, cells },
    ];
    return { code: "missing_code", column: name, message, rows, firstRow, choices };
  });
}

/** Smallest and greatest value of a column, the values next to them, and their counts. Each row costs four comparisons. */
type Ends = {
  low: number;
  afterLow: number;
  lows: number;
  high: number;
  beforeHigh: number;
  highs: number;
  known: number;
};

function endsOf(values: Float64Array): Ends {
  let [low, afterLow, lows] = [Infinity, Infinity, 0];
  let [high, beforeHigh, highs] = [-Infinity, -Infinity, 0];
  let known = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    known++;
    if (value <= low) {
      if (value < low) [afterLow, low, lows] = [low, value, 0];
      lows++;
    } else if (value < afterLow) afterLow = value;
    if (value >= high) {
      if (value > high) [beforeHigh, high, highs] = [high, value, 0];
      highs++;
    } else if (value > beforeHigh) beforeHigh = value;
  }
  return { low, afterLow, lows, high, beforeHigh, highs, known };
}

/** Returns the value at an end of a column, if it repeats far from the others, or is a known code; otherwise null. */
function codeOf({ low, afterLow, lows, high, beforeHigh, highs, known }: Ends): number | null {
  const isCode = (code: number, count: number, gap: number, range: number) => {
    const isKnown = KNOWN_CODE.test(String(code));
    const isNegative = code === low && code <= -9 && count > 1;
    // A sensor may fail for most rows, but most values of other columns are no codes: 5 beside a few 100.
    const most = isKnown || isNegative ? known - 1 : known / 2;
    if (code === 0 || !(range > 0) || count > most || (count < 2 && !isKnown)) return false;
    const isOnlyNegative = isNegative && afterLow >= 0;
    return gap > FAR * range || ((isKnown || isOnlyNegative) && gap > NEAR * range);
  };
  if (isCode(low, lows, afterLow - low, high - afterLow)) return low;
  return isCode(high, highs, high - beforeHigh, beforeHigh - low) ? high : null;
}

/** Rows with issues that may be left out together, and their part of all rows. */
const ODD_ROWS_MAX = 20;
const ODD_SHARE = 0.1;

/**
 * Adds the choice to leave out the rows of the issues, if they are few: units under the header, a repeated header, a total,
 * or notes.
 */
export function withSkipping(issues: readonly Issue[], issueCount: number, rowCount: number): Issue[] {
  const rows = [...new Set(issues.flatMap(({ row }) => row ?? []))];
  const isFew = rows.length <= ODD_ROWS_MAX && rows.length <= Math.max(3, rowCount * ODD_SHARE);
  const [first] = issues;
  if (first === undefined || issueCount > issues.length || !isFew || rows.length >= rowCount)
    return [...issues];
  if (rows.length === 0 || issues.some(({ row, choices }) => row === null || choices !== undefined))
    return [...issues];
  const kind = kindOf(issues, rows, rowCount);
  if (kind === null) return [...issues];
  const message = `${first.message} ${rows.length === 1 ? `Row ${rows[0]} looks` : "These rows look"} like ${kind}. To leave out such rows, name them in \`skipRows\`.`;
  return issues.map((issue) => (issue === first ? { ...issue, message, choices: skipping(rows) } : issue));
}

/** Returns what rows with issues are: the kind of all of them, or null. */
function kindOf(issues: readonly Issue[], rows: readonly number[], rowCount: number): string | null {
  if (issues.some(({ value }) => value !== null && SUMMARY.test(value))) return "a total";
  if (issues.every(({ value, column }) => value !== null && value === column)) return "a repeated header";
  const isFormat = issues.every(({ code }) =>
    ["not_a_number", "not_a_timestamp", "ragged_row"].includes(code),
  );
  if (!isFormat) return null;
  const hasDigits = issues.some(({ value }) => /\d/.test(value ?? ""));
  if (rows.length === 1 && rows[0] === 1 && !hasDigits) return "units or notes under the header";
  const last = rowCount - rows.length;
  return rows.every((row) => row > last) ? "notes below the table" : null;
}
