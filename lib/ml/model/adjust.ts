import { counted } from "#lib/contract/counted";
import type { Column, NumericColumn, Table } from "#lib/contract/table";
import { nearestName } from "#lib/csv/nearest-name";
import { readIso } from "#lib/csv/timestamps";
import { findColumn, numericValues, withColumn } from "#lib/ml/table/columns";

export type AdjustmentValue = number | string | boolean;

export type AdjustmentCondition = {
  feature: string;
  operator: "=" | "!=" | "<" | "<=" | ">" | ">=";
  value: AdjustmentValue;
};

/** One change of a what-if scenario. `from` and `to` are epoch milliseconds, both included. */
export type InputAdjustment = {
  feature: string;
  operation: "add" | "multiply" | "set";
  value: AdjustmentValue;
  from?: number | undefined;
  to?: number | undefined;
  where?: AdjustmentCondition[] | undefined;
};

export type AdjustmentFault = {
  /** Position in the list of adjustments, from 0. */
  adjustment: number;
  code: "unknown_feature" | "wrong_type" | "no_timestamp" | "after_to" | "not_finite";
  message: string;
};

/** The changed table with, for each adjustment, how many rows it changed; or why they cannot be applied. */
export type Adjusted =
  | { ok: true; table: Table; changedRows: number[] }
  | { ok: false; faults: AdjustmentFault[] };

/**
 * Applies adjustments in order, each to what the ones before it left: conditions read the adjusted values too.
 * A missing value stays missing under add and multiply, and no condition holds for it. A row counts as changed where
 * its value is another one than before. The given table is not touched.
 */
export function applyAdjustments(
  table: Table,
  adjustments: readonly InputAdjustment[],
  timestamp: string | null,
): Adjusted {
  const faults = adjustments.flatMap((adjustment, i) => checkAdjustment(table, adjustment, timestamp, i));
  if (faults.length > 0) return { ok: false, faults };
  let result = table;
  const changedRows: number[] = [];
  for (const [i, adjustment] of adjustments.entries()) {
    const rows = matchingRows(result, adjustment, timestamp);
    const changed = changeColumn(findColumn(result, adjustment.feature)!, adjustment, rows);
    if (changed.overflows > 0) return { ok: false, faults: [notFinite(adjustment, i, changed.overflows)] };
    result = withColumn(result, changed.column);
    changedRows.push(changed.count);
  }
  return { ok: true, table: result, changedRows };
}

function checkAdjustment(
  table: Table,
  { feature, operation, value, from, to, where = [] }: InputAdjustment,
  timestamp: string | null,
  adjustment: number,
): AdjustmentFault[] {
  const fault = (code: AdjustmentFault["code"], message: string) => ({ adjustment, code, message });
  const unknown = (name: string) => {
    const nearest = nearestName(
      name,
      table.columns.map((column) => column.name),
    );
    const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
    return fault("unknown_feature", `There is no feature "${name}".${hint}`);
  };
  const faults: AdjustmentFault[] = [];
  const column = findColumn(table, feature);
  if (!column) faults.push(unknown(feature));
  else if (feature === timestamp) {
    faults.push(fault("wrong_type", `"${feature}" is the time of each row and cannot be adjusted.`));
  } else if (operation !== "set" && (column.type !== "number" || typeof value !== "number")) {
    faults.push(
      fault(
        "wrong_type",
        `"${operation}" needs a number and a feature that holds numbers; "${feature}" holds ${column.type} values.`,
      ),
    );
  } else if (!fits(column, value)) faults.push(wrongType(fault, column, value));
  if (from !== undefined && to !== undefined && from > to) {
    faults.push(fault("after_to", "`from` is after `to`: no row lies between them."));
  }
  if ((from !== undefined || to !== undefined) && timestamp === null) {
    faults.push(fault("no_timestamp", "The input has no timestamp, so `from` and `to` have no meaning."));
  }
  for (const condition of where) {
    const tested = findColumn(table, condition.feature);
    if (!tested) faults.push(unknown(condition.feature));
    else if (!fits(tested, condition.value)) faults.push(wrongType(fault, tested, condition.value));
    else if (tested.type === "category" && condition.operator !== "=" && condition.operator !== "!=") {
      faults.push(
        fault("wrong_type", `"${condition.feature}" holds categories, which have no order: use = or !=.`),
      );
    }
  }
  return faults;
}

function notFinite(
  { feature, operation, value }: InputAdjustment,
  adjustment: number,
  rows: number,
): AdjustmentFault {
  const message = `"${operation}" ${value} makes "${feature}" larger than any number can be, in ${counted(rows, "row")}.`;
  return { adjustment, code: "not_finite", message };
}

function wrongType(
  fault: (code: AdjustmentFault["code"], message: string) => AdjustmentFault,
  column: Column,
  value: AdjustmentValue,
): AdjustmentFault {
  return fault(
    "wrong_type",
    `"${column.name}" holds ${column.type} values; ${JSON.stringify(value)} is none.`,
  );
}

function fits(column: Column, value: AdjustmentValue): boolean {
  return column.type === "category" ? categoryOf(value) !== "" : !Number.isNaN(numberOf(column, value));
}

/** A value as a file's cell would be read: white space around it is no part of it, and an empty one is missing. */
function categoryOf(value: AdjustmentValue): string {
  return String(value).trim();
}

/** A value as the column stores it; NaN where it does not fit. */
function numberOf(column: NumericColumn, value: AdjustmentValue): number {
  if (column.type === "boolean") {
    if (typeof value === "boolean") return value ? 1 : 0;
    return value === 0 || value === 1 ? value : Number.NaN;
  }
  if (column.type === "timestamp" && typeof value === "string") return readIso(value).ms;
  return typeof value === "number" && Number.isFinite(value) ? value : Number.NaN;
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
    const wanted = column.categories.indexOf(categoryOf(value));
    const { codes } = column;
    return operator === "="
      ? (row) => codes[row] === wanted && wanted >= 0
      : (row) => codes[row]! >= 0 && codes[row] !== wanted;
  }
  const limit = numberOf(column, value);
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
  const operand = numberOf(column, value);
  const values = column.values.map((before, row) => {
    if (!rows[row]) return before;
    const after = operation === "set" ? operand : operation === "add" ? before + operand : before * operand;
    if (Number.isFinite(before) && !Number.isFinite(after)) overflows++;
    if (after !== before && !(Number.isNaN(after) && Number.isNaN(before))) count++;
    return after;
  });
  return { column: { ...column, values }, count, overflows };
}
