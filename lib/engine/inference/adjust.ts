import type { Column, Table } from "#lib/contract/table";
import { findColumn, numericValues, withColumn } from "#lib/engine/table/columns";
import {
  type AdjustmentCondition,
  type AdjustmentIssue,
  categoryOf,
  type InputAdjustment,
  numberOf,
  type TypedName,
} from "./adjustments.ts";
import { checkAdjustment, notFinite } from "./check-adjustment.ts";

/** The adjusted table with the number of changed rows per adjustment, or the issues that prevent the adjustments. */
type Adjusted = { ok: true; table: Table; changedRows: number[] } | { ok: false; issues: AdjustmentIssue[] };

/**
 * Applies adjustments in order. Each adjustment and its conditions read the values that the previous adjustments
 * produced. A missing value stays missing under add and multiply and matches no condition. A row counts as changed if
 * its value differs from before. The given table is not modified.
 */
export function applyAdjustments(
  table: Table,
  adjustments: readonly InputAdjustment[],
  timestamp: string | null,
): Adjusted {
  const adjusting = new TableAdjuster(table.columns, adjustments, timestamp);
  if (adjusting.issues.length > 0) return { ok: false, issues: adjusting.issues };
  const result = adjusting.apply(table);
  const { issues, changedRows } = adjusting;
  return issues.length > 0
    ? { ok: false, issues }
    : { ok: true, table: result, changedRows: [...changedRows] };
}

/** Applies adjustments to a table that arrives in parts. Discard all results if there are issues at the end. */
export class TableAdjuster {
  readonly #adjustments: readonly InputAdjustment[];
  readonly #timestamp: string | null;
  readonly #unfit: AdjustmentIssue[];
  readonly #changedRows: number[];
  /** Number of rows per adjustment whose result overflows. */
  readonly #overflows: number[];

  /** @param columns columns of all parts */
  constructor(
    columns: readonly TypedName[],
    adjustments: readonly InputAdjustment[],
    timestamp: string | null,
  ) {
    this.#adjustments = adjustments;
    // The rows of an imported model need no times, even if its project has a timestamp.
    this.#timestamp = columns.some(({ name }) => name === timestamp) ? timestamp : null;
    this.#unfit = adjustments.flatMap((adjustment, i) =>
      checkAdjustment(columns, adjustment, this.#timestamp, i),
    );
    this.#changedRows = adjustments.map(() => 0);
    this.#overflows = adjustments.map(() => 0);
  }

  /** Returns the issues that prevent the adjustments. Issues with the columns are known from the start. */
  get issues(): AdjustmentIssue[] {
    if (this.#unfit.length > 0) return this.#unfit;
    // Later adjustments worked on values that had overflowed: report the first one only.
    const first = this.#overflows.findIndex((rows) => rows > 0);
    return first < 0 ? [] : [notFinite(this.#adjustments[first]!, first, this.#overflows[first]!)];
  }

  /** Number of rows that each adjustment has changed so far. */
  get changedRows(): readonly number[] {
    return this.#changedRows;
  }

  /** Returns the next rows, adjusted. Call it only while there are no issues. */
  apply(table: Table): Table {
    let result = table;
    for (const [i, adjustment] of this.#adjustments.entries()) {
      const rows = matchingRows(result, adjustment, this.#timestamp);
      const changed = changeColumn(findColumn(result, adjustment.feature)!, adjustment, rows);
      this.#overflows[i]! += changed.overflows;
      this.#changedRows[i]! += changed.count;
      result = withColumn(result, changed.column);
    }
    return result;
  }
}

function matchingRows(
  table: Table,
  { from, to, where = [] }: InputAdjustment,
  timestamp: string | null,
): Uint8Array {
  const rows = new Uint8Array(table.rowCount).fill(1);
  if (timestamp !== null && (from !== undefined || to !== undefined)) {
    const [least, most] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
    numericValues(table, timestamp).forEach((time, row) => {
      if (!(time >= least && time <= most)) rows[row] = 0;
    });
  }
  for (const condition of where) {
    const holds = conditionTest(findColumn(table, condition.feature)!, condition);
    for (let row = 0; row < rows.length; row++) if (rows[row] && !holds(row)) rows[row] = 0;
  }
  return rows;
}

function conditionTest(column: Column, { operator, value }: AdjustmentCondition): (row: number) => boolean {
  if (column.type === "category") {
    const code = column.categories.indexOf(categoryOf(value));
    const { codes } = column;
    return operator === "="
      ? (row) => codes[row] === code && code >= 0
      : (row) => codes[row]! >= 0 && codes[row] !== code;
  }
  const limit = numberOf(column.type, value);
  const { values } = column;
  switch (operator) {
    case "=":
      return (row) => values[row] === limit;
    case "!=":
      return (row) => !Number.isNaN(values[row]!) && values[row] !== limit;
    case "<":
      return (row) => values[row]! < limit;
    case "<=":
      return (row) => values[row]! <= limit;
    case ">":
      return (row) => values[row]! > limit;
    case ">=":
      return (row) => values[row]! >= limit;
  }
}

function changeColumn(
  column: Column,
  { operation, value }: InputAdjustment,
  rows: Uint8Array,
): { column: Column; count: number; overflows: number } {
  let count = 0;
  let overflows = 0;
  if (column.type === "category") {
    const text = categoryOf(value);
    const known = column.categories.indexOf(text);
    const categories = known < 0 ? [...column.categories, text] : column.categories;
    const code = known < 0 ? column.categories.length : known;
    const codes = column.codes.map((before, row) => {
      if (!rows[row] || before === code) return before;
      count++;
      return code;
    });
    return { column: { ...column, codes, categories }, count, overflows };
  }
  const operand = numberOf(column.type, value);
  const values = column.values.map((before, row) => {
    if (!rows[row]) return before;
    const after = operation === "set" ? operand : operation === "add" ? before + operand : before * operand;
    if (Number.isFinite(before) && !Number.isFinite(after)) overflows++;
    if (after !== before && !(Number.isNaN(after) && Number.isNaN(before))) count++;
    return after;
  });
  return { column: { ...column, values }, count, overflows };
}
