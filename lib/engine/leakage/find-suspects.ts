import type { Column, NumericColumn, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues } from "#lib/engine/table/columns";
import { findExactSums, type Values } from "./exact-sums.ts";
import { outOfSampleR2 } from "./out-of-sample-r2.ts";
import type { Suspect } from "./suspect.ts";

/** Rows on which sums are verified. Many columns get fewer rows, because all of them are copied. */
const SUM_ROWS = 20_000;
const SUM_VALUES = 4_000_000;
/** Rows on which a column alone predicts the target. */
const R2_ROWS = 4_000;
/** Rows on which columns without any relation are dismissed. */
const GLANCE_ROWS = 200;
const GLANCE_R2 = 0.5;
/** Fewer rows are no evidence. */
const R2_ROWS_MIN = 50;
/** R² out of sample above which real causes are unlikely: 3% of the target's standard deviation are left. */
export const SUSPICIOUS_R2 = 0.999;
/** Probability below which a run of empty cells at the end is not a coincidence. */
const COINCIDENCE = 1e-3;

type Purpose = { target: string; timestamp: string | null; inputs: readonly string[] };

/**
 * Finds inputs that give the target away, name the rows, or are known only after the fact. Reads a sample of a large
 * table.
 *
 * @param table in time order if there is a timestamp
 */
export function findSuspects(table: Table, { target, timestamp, inputs }: Purpose): Suspect[] {
  const names = new Set(inputs);
  const columns = table.columns.filter(({ name }) => names.has(name));
  const known = numericValues(table, target);
  const sums = exactSums(columns, known);
  const single = new Set(sums.flatMap(({ columns: [name, ...more] }) => (more.length === 0 ? name! : [])));
  const rest = columns.filter(({ name }) => !single.has(name));
  return [
    ...sums,
    ...explaining(rest, known, timestamp !== null),
    ...columns.flatMap(identifiers),
    ...(timestamp === null ? [] : columns.flatMap(knownLate)),
  ];
}

function exactSums(columns: readonly Column[], target: Float64Array): Suspect[] {
  const rows = spread(target, Math.min(SUM_ROWS, Math.floor(SUM_VALUES / Math.max(1, columns.length))));
  const varying = columns.flatMap((column): Values[] => {
    if (column.type !== "number" && column.type !== "boolean") return [];
    const values = take(column.values, rows);
    return isConstant(values) ? [] : [{ name: column.name, values }];
  });
  return findExactSums(varying, take(target, rows));
}

function explaining(columns: readonly Column[], target: Float64Array, isSeries: boolean): Suspect[] {
  const sample = spread(target, R2_ROWS);
  // Rows without a time may be sorted by anything: in random order, each fifth is like the others.
  const rows = isSeries ? sample : seededRandom(1).shuffle(sample);
  const glance = spread(rows, GLANCE_ROWS).map((at) => rows[at]!);
  return columns.flatMap((column): Suspect[] => {
    if (column.type === "timestamp") return [];
    const r2On = (chosen: Int32Array) => {
      const values = numbersOf(column, chosen);
      return outOfSampleR2({ values, isCategory: column.type === "category" }, take(target, chosen));
    };
    // Null: too few of these rows have values.
    if ((r2On(glance)?.r2 ?? 1) <= GLANCE_R2) return [];
    const { r2, comparedRows } = r2On(rows) ?? { r2: 0, comparedRows: 0 };
    // Squares of huge numbers overflow: then R² is NaN.
    if (comparedRows < R2_ROWS_MIN || !(r2 > SUSPICIOUS_R2)) return [];
    return [{ kind: "explains_target", columns: [column.name], r2, comparedRows }];
  });
}

function identifiers(column: Column): Suspect[] {
  const distinct = identifierValues(column);
  if (distinct === null) return [];
  const comparedRows = column.type === "category" ? column.codes.length : column.values.length;
  return [{ kind: "identifier", columns: [column.name], distinct, comparedRows }];
}

function numbersOf(column: Column, rows: Int32Array): Float64Array {
  if (column.type !== "category") return take(column.values, rows);
  return Float64Array.from(rows, (row) => (column.codes[row]! < 0 ? Number.NaN : column.codes[row]!));
}

/** Returns at most `most` row numbers at equal distances. */
function spread({ length }: ArrayLike<unknown>, most: number): Int32Array {
  const count = Math.min(length, most);
  return Int32Array.from({ length: count }, (_, at) => Math.floor((at * length) / count));
}

function take(values: Float64Array, rows: Int32Array): Float64Array {
  return Float64Array.from(rows, (row) => values[row]!);
}

function isConstant(values: Float64Array): boolean {
  const present = values.filter((value) => !Number.isNaN(value));
  return present.every((value) => value === present[0]);
}

/** Suspects a column in time order with empty cells at its end that its other gaps do not explain. */
function knownLate(column: Column): Suspect[] {
  const isMissing =
    column.type === "category"
      ? (row: number) => column.codes[row]! < 0
      : (row: number) => Number.isNaN(column.values[row]!);
  const rowCount = column.type === "category" ? column.codes.length : column.values.length;
  let last = rowCount - 1;
  while (last >= 0 && isMissing(last)) last--;
  const newestRows = rowCount - 1 - last;
  if (last < 0 || newestRows === 0) return [];
  let missing = 0;
  for (let row = 0; row < last; row++) if (isMissing(row)) missing++;
  // Share of gaps in earlier rows, with one row of each kind added (Laplace).
  const share = (missing + 1) / (last + 2);
  if (newestRows * Math.log(share) >= Math.log(COINCIDENCE)) return [];
  return [{ kind: "empty_in_newest_rows", columns: [column.name], newestRows, last }];
}

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
function identifierValues(column: Column): number | null {
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
