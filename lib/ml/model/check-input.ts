import type { Column, Table } from "#lib/contract/table";
import { badValue, missingColumn, missingValue, notABoolean, notANumber } from "#lib/csv/cell-faults";
import { type Fault, FaultList, shorten } from "#lib/csv/faults";
import { nameFinder } from "#lib/csv/nearest-name";
import { shortNumber } from "#lib/csv/short-number";
import { coerceColumn, valueText } from "./coerce-input.ts";
import type { InputFeature } from "./input-features.ts";

/** Something to know that does not stop a prediction. `rows`: how many rows it concerns. */
export type InputWarning = {
  code: "unknown_column" | "unseen_category" | "outside_range" | "incomplete_history" | "beyond_horizon";
  message: string;
  column: string | null;
  rows: number | null;
};

export type InputCheck = {
  /** Things that make the input unusable: the first 100, by row and column. */
  faults: Fault[];
  faultCount: number;
  warnings: InputWarning[];
  /** The columns that the model reads, each in the type it wants; the others are gone. */
  table: Table;
};

const FAULTS_MAX = 100;

/** Checks a table against what a model expects: the same check for uploads, predictions and scenarios. */
export function checkInput(table: Table, features: readonly InputFeature[], target: string): InputCheck {
  const faults = new FaultList(
    FAULTS_MAX,
    features.map(({ name }) => name),
  );
  const warnings: InputWarning[] = [];
  const columns: Column[] = [];
  const known = new Set(features.map(({ name }) => name));
  const extra = table.columns.map(({ name }) => name).filter((name) => !known.has(name));
  const columnOf = new Map(table.columns.map((column) => [column.name, column]));
  const nearest = nameFinder(extra);
  for (const feature of features) {
    const { name, type } = feature;
    const given = columnOf.get(name);
    if (!given) {
      faults.addLazily(null, name, () => missingColumn(name, type, nearest(name)));
      continue;
    }
    const { column, misfits } = coerceColumn(given, type);
    for (const row of misfits) faults.addLazily(row + 1, name, () => misfit(feature, given, row));
    if (!feature.missingAllowed) addMissingValues(feature, given, faults);
    columns.push(column);
    const warning =
      column.type === "category" ? unseenCategories(feature, column) : outsideRange(feature, column);
    if (warning) warnings.push(warning);
  }
  for (const name of extra.slice(0, FAULTS_MAX)) {
    const reason = name === target ? "is what the model predicts" : "is not used by the model";
    warnings.push({
      code: "unknown_column",
      message: `Column "${shorten(name)}" ${reason}; it is ignored.`,
      column: name,
      rows: null,
    });
  }
  return {
    faults: faults.faults,
    faultCount: faults.count,
    warnings,
    table: { rowCount: table.rowCount, columns },
  };
}

function misfit({ name, type }: InputFeature, given: Column, row: number): Fault {
  const text = valueText(given, row) ?? "";
  if (type === "number") return notANumber(row + 1, name, text, false);
  if (type === "boolean") return notABoolean(row + 1, name, text);
  const reason = "is not a date or time";
  return badValue({ row: row + 1, column: name, text, code: "not_a_timestamp", reason, type });
}

function addMissingValues({ name, type }: InputFeature, given: Column, faults: FaultList): void {
  const values = given.type === "category" ? given.codes : given.values;
  for (let row = 0; row < values.length; row++) {
    const isMissing = given.type === "category" ? values[row]! < 0 : Number.isNaN(values[row]!);
    if (isMissing) faults.addLazily(row + 1, name, () => missingValue(row + 1, name, type));
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
