import type { Column, ColumnType } from "#lib/contract/table";
import { type CsvWarning, type Fault, FaultList, firstFaults, shorten } from "./faults.ts";
import { nearestName } from "./nearest-name.ts";
import type { CsvOptions, CsvResult, ExpectedColumn } from "./options.ts";
import { shortNumber } from "./short-number.ts";

/** A feature that a model reads. The fields are those of a checkpoint's `inputFeatures`; more may be there. */
export type ExpectedFeature = {
  name: string;
  type: ColumnType;
  role: "input" | "upstream" | "timestamp";
  /** Whether the file must have the column. */
  required: boolean;
  /** Whether single cells may be empty, because the model imputes them. Default: where not required. */
  missingAllowed?: boolean;
  /** The range of the training rows: epoch milliseconds for a timestamp. Not checked for timestamps. */
  min?: number | null;
  max?: number | null;
  /** The values seen in training, of a category. */
  categories?: readonly string[] | null;
};

export type CsvCheck = {
  valid: boolean;
  rowCount: number;
  faults: Fault[];
  faultCount: number;
  warnings: CsvWarning[];
};

const MAX_LISTED = 100;

/**
 * The options with which to read a file that is to be checked against these features: these columns alone,
 * their types, and the timestamp. `base` has what the dataset knows (time zone, date order, missing texts, joined timestamp).
 */
export function optionsFor(features: readonly ExpectedFeature[], base: CsvOptions = {}): CsvOptions {
  const timestamp = base.timestamp ?? features.find(({ role }) => role === "timestamp")?.name ?? null;
  const columns = features.map(
    (feature): ExpectedColumn => ({
      name: feature.name,
      type: feature.type,
      missingAllowed: feature.missingAllowed ?? (!feature.required && feature.role !== "timestamp"),
    }),
  );
  return { ...base, columns, timestamp, onlyDeclared: true };
}

/**
 * Checks a file that was read with `optionsFor(features)` against these features. Adds to the faults of the
 * cells: required columns that are missing, with the nearest name; and for a `series`, times that go back or
 * occur twice. Warns of other columns, of categories and ranges that the training rows did not have.
 */
export function checkAgainst(
  file: CsvResult,
  features: readonly ExpectedFeature[],
  options: { series?: boolean; maxFaults?: number } = {},
): CsvCheck {
  const limit = options.maxFaults ?? MAX_LISTED;
  const known = new Set(file.faults.map((fault) => `${fault.code}:${fault.column}`));
  const absent = absentColumns(file.header, features).filter(
    ({ column }) => !known.has(`missing_column:${column}`),
  );
  const unread = file.header.length === 0;
  const added = unread ? [] : absent;
  const time = features.find(({ role }) => role === "timestamp")?.name ?? file.times?.column;
  const series = options.series === true ? outOfOrder(file, time, limit) : new FaultList(0);
  const faultCount = file.faultCount + added.length + series.count;
  return {
    valid: faultCount === 0,
    rowCount: file.rowCount,
    faults: firstFaults([...file.faults, ...added, ...series.faults], file.header, limit),
    faultCount,
    warnings: [
      ...file.warnings,
      ...(unread ? [] : unknownColumns(file, features)),
      ...features.flatMap((feature) => featureWarnings(file, feature)),
    ].slice(0, MAX_LISTED),
  };
}

function absentColumns(header: readonly string[], features: readonly ExpectedFeature[]): Fault[] {
  const present = new Set(header);
  const wanted = new Set(features.map(({ name }) => name));
  const free = header.filter((name) => !wanted.has(name));
  return features
    .filter(({ name, required, role }) => (required || role === "timestamp") && !present.has(name))
    .map(({ name, type }, index) => {
      // Comparing names costs their lengths' product; past the faults that are listed nobody reads it.
      const nearest = index < MAX_LISTED ? nearestName(name, free) : null;
      const hint = nearest === null ? "" : ` Did you mean its column "${shorten(nearest)}"?`;
      return {
        row: null,
        column: name,
        value: null,
        code: "missing_column",
        message: `The file has no column "${name}".${hint}`,
        expected: `a column "${name}" of type ${type}`,
        ...(nearest === null ? {} : { nearest }),
      };
    });
}

function unknownColumns(file: CsvResult, features: readonly ExpectedFeature[]): CsvWarning[] {
  const known = new Set([...features.map(({ name }) => name), ...(file.times?.columns ?? [])]);
  const absent = features.map(({ name }) => name).filter((name) => !file.header.includes(name));
  return file.header
    .filter((name) => name !== "" && !known.has(name))
    .slice(0, MAX_LISTED)
    .map((column) => {
      const nearest = nearestName(column, absent);
      const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
      const message = `The model does not use column "${shorten(column)}"; it is ignored.${hint}`;
      return { code: "unknown_column", column, message, ...(nearest === null ? {} : { nearest }) };
    });
}

function outOfOrder(file: CsvResult, time: string | undefined, limit: number): FaultList {
  const faults = new FaultList(limit);
  const column = file.table.columns.find(({ name }) => name === time);
  if (column === undefined || column.type !== "timestamp") return faults;
  const { values } = column;
  let latest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const at = values[i]!;
    if (Number.isNaN(at)) continue;
    if (at > latest) {
      latest = at;
      continue;
    }
    const row = i + 1;
    const value = new Date(at).toISOString();
    const twice = at === latest;
    faults.add({
      row,
      column: column.name,
      value,
      code: twice ? "timestamps_duplicate" : "timestamps_unsorted",
      message: twice
        ? `Row ${row}, column "${column.name}": the time ${value} occurs twice.`
        : `Row ${row}, column "${column.name}": the time ${value} is before that of a row above it.`,
      expected: `a time after ${new Date(latest).toISOString()}`,
    });
  }
  return faults;
}

function featureWarnings(file: CsvResult, feature: ExpectedFeature): CsvWarning[] {
  const column = file.table.columns.find(({ name }) => name === feature.name);
  if (column === undefined || feature.role === "timestamp") return [];
  if (column.type === "category") return unseenCategories(column, feature);
  return column.type === "number" ? outsideRange(column, feature) : [];
}

function unseenCategories(
  column: Extract<Column, { type: "category" }>,
  feature: ExpectedFeature,
): CsvWarning[] {
  if (feature.categories == null) return [];
  const seen = new Set(feature.categories);
  const unseen = column.categories.map((category) => !seen.has(category));
  let rows = 0;
  for (let i = 0; i < column.codes.length; i++) if (unseen[column.codes[i]!] === true) rows++;
  if (rows === 0) return [];
  const values = column.categories.filter((_, code) => unseen[code]);
  const named = values.slice(0, 5).map((value) => `"${shorten(value)}"`);
  const more = values.length > 5 ? ` and ${values.length - 5} more` : "";
  const message = `Column "${column.name}": the model was not trained on ${named.join(", ")}${more} (${rows} ${rows === 1 ? "row" : "rows"}).`;
  return [{ code: "unseen_category", column: column.name, message, rows }];
}

function outsideRange(
  column: Extract<Column, { values: Float64Array }>,
  feature: ExpectedFeature,
): CsvWarning[] {
  const { min, max } = feature;
  if (min == null || max == null) return [];
  let rows = 0;
  for (let i = 0; i < column.values.length; i++) {
    const value = column.values[i]!;
    if (value < min || value > max) rows++;
  }
  if (rows === 0) return [];
  const message = `Column "${column.name}": ${rows} ${rows === 1 ? "row is" : "rows are"} outside ${shortNumber(min)} to ${shortNumber(max)}, the range that the model was trained on.`;
  return [{ code: "outside_range", column: column.name, message, rows }];
}
