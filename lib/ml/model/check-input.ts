import type { Column, ColumnType, Table } from "#lib/contract/table";
import { nearestName } from "#lib/csv/nearest-name";
import { shortNumber } from "#lib/csv/short-number";
import { findColumn } from "#lib/ml/table/columns";
import { coerceColumn, valueText } from "./coerce-input.ts";
import type { InputFeature } from "./input-features.ts";

/** One thing that makes the input unusable. Rows count from 1; null where the whole column is meant. */
export type InputFault = {
  row: number | null;
  column: string;
  value: string | null;
  code: "missing_column" | "missing_value" | "not_a_number" | "not_a_boolean" | "not_a_timestamp";
  message: string;
  expected: string;
};

/** Something to know that does not stop a prediction. `rows`: how many rows it concerns. */
export type InputWarning = {
  code: "unknown_column" | "unseen_category" | "outside_range" | "incomplete_history" | "beyond_horizon";
  message: string;
  column: string | null;
  rows: number | null;
};

export type InputCheck = {
  /** At most 100, by column and row. */
  faults: InputFault[];
  faultCount: number;
  warnings: InputWarning[];
  /** The columns that the model reads, each in the type it wants; the others are gone. */
  table: Table;
};

const FAULTS_MAX = 100;

const TYPE_FAULTS: Record<Exclude<ColumnType, "category">, { code: InputFault["code"]; expected: string }> = {
  number: { code: "not_a_number", expected: "a number" },
  boolean: { code: "not_a_boolean", expected: "true or false" },
  timestamp: { code: "not_a_timestamp", expected: "a date and time, ISO 8601" },
};

/** Checks a table against what a model expects: the same check for uploads, predictions and scenarios. */
export function checkInput(table: Table, features: readonly InputFeature[], target: string): InputCheck {
  const faults: InputFault[] = [];
  const warnings: InputWarning[] = [];
  const columns: Column[] = [];
  const known = new Set(features.map(({ name }) => name));
  const extra = table.columns.map(({ name }) => name).filter((name) => !known.has(name));
  let faultCount = 0;
  const add = (fault: InputFault) => {
    faultCount++;
    if (faults.length < FAULTS_MAX) faults.push(fault);
  };
  for (const feature of features) {
    const given = findColumn(table, feature.name);
    if (!given) {
      add(missingColumn(feature, extra));
      continue;
    }
    const { column, misfits } = coerceColumn(given, feature.type);
    for (const row of misfits) add(misfit(feature, given, row));
    if (!feature.missingAllowed) addMissingValues(feature, given, add);
    columns.push(column);
    const warning =
      column.type === "category" ? unseenCategories(feature, column) : outsideRange(feature, column);
    if (warning) warnings.push(warning);
  }
  for (const name of extra.slice(0, FAULTS_MAX)) {
    const reason = name === target ? "is what the model predicts" : "is not used by the model";
    warnings.push({
      code: "unknown_column",
      message: `Column "${name}" ${reason}; it is ignored.`,
      column: name,
      rows: null,
    });
  }
  return { faults, faultCount, warnings, table: { rowCount: table.rowCount, columns } };
}

function missingColumn(feature: InputFeature, extra: readonly string[]): InputFault {
  const nearest = nearestName(feature.name, extra);
  const hint = nearest === null ? "" : ` Did you mean its column "${nearest}"?`;
  return {
    row: null,
    column: feature.name,
    value: null,
    code: "missing_column",
    message: `The input has no column "${feature.name}".${hint}`,
    expected: `a column "${feature.name}" of type ${feature.type}`,
  };
}

function misfit(feature: InputFeature, given: Column, row: number): InputFault {
  const { code, expected } = TYPE_FAULTS[feature.type as Exclude<ColumnType, "category">];
  const value = valueText(given, row)?.slice(0, 80) ?? null;
  const message = `Row ${row + 1}, column "${feature.name}": "${value}" is not ${expected}.`;
  return { row: row + 1, column: feature.name, value, code, message, expected };
}

function addMissingValues(feature: InputFeature, given: Column, add: (fault: InputFault) => void): void {
  const values = given.type === "category" ? given.codes : given.values;
  for (let row = 0; row < values.length; row++) {
    const isMissing = given.type === "category" ? values[row]! < 0 : Number.isNaN(values[row]!);
    if (!isMissing) continue;
    add({
      row: row + 1,
      column: feature.name,
      value: null,
      code: "missing_value",
      message: `Row ${row + 1}, column "${feature.name}": the value is missing, and the model does not impute it.`,
      expected: `a value of type ${feature.type}`,
    });
  }
}

function unseenCategories(
  feature: InputFeature,
  column: Extract<Column, { type: "category" }>,
): InputWarning | null {
  const seen = new Set(feature.categories ?? []);
  if (seen.size === 0) return null;
  const unseen = column.categories.map((category) => !seen.has(category));
  const rows = column.codes.reduce((count, code) => count + (code >= 0 && unseen[code] ? 1 : 0), 0);
  if (rows === 0) return null;
  const present = new Set(column.codes);
  const named = column.categories
    .filter((_, code) => unseen[code] && present.has(code))
    .slice(0, 5)
    .map((category) => `"${category.slice(0, 80)}"`)
    .join(", ");
  return {
    code: "unseen_category",
    message: `Column "${column.name}": the model was not trained on ${named} (${rows} of ${column.codes.length} rows).`,
    column: column.name,
    rows,
  };
}

/** A timestamp beyond the training rows is what a forecast is about, and no warning. */
function outsideRange(
  feature: InputFeature,
  column: Extract<Column, { values: Float64Array }>,
): InputWarning | null {
  const { min, max } = feature;
  if (min === null || max === null || feature.role === "timestamp" || feature.type === "boolean") return null;
  const rows = column.values.reduce((count, value) => count + (value < min || value > max ? 1 : 0), 0);
  if (rows === 0) return null;
  return {
    code: "outside_range",
    message: `Column "${column.name}": ${rows} of ${column.values.length} rows lie outside ${shortNumber(min)} to ${shortNumber(max)}, the range of the training rows.`,
    column: column.name,
    rows,
  };
}
