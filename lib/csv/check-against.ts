import type { ColumnType } from "#lib/contract/table";
import { duplicateTime, missingColumn } from "./cell-faults.ts";
import { type CsvWarning, type Fault, FaultList, shorten } from "./faults.ts";
import { nameFinder } from "./nearest-name.ts";
import type { CsvOptions, CsvResult, ExpectedColumn } from "./options.ts";
import { outsideWarning } from "./outside-training.ts";

/** A feature that a model reads. The fields are those of a checkpoint's `inputFeatures`; more may be there. */
export type ExpectedFeature = {
  name: string;
  type: ColumnType;
  role: "input" | "upstream" | "timestamp";
  /** Whether the file must have the column. */
  required: boolean;
  /** Whether single cells may be empty, because the model imputes them. Default: where not required. */
  missingAllowed?: boolean | undefined;
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
  const { header } = file;
  const faults = new FaultList(options.maxFaults ?? MAX_LISTED, header);
  faults.addAll({ faults: file.faults, count: file.faultCount });
  const told = new Set(
    file.faults.filter(({ code }) => code === "missing_column").map(({ column }) => column),
  );
  const unread = header.length === 0;
  if (!unread) addAbsentColumns(header, features, told, faults);
  const time = features.find(({ role }) => role === "timestamp")?.name ?? file.times?.column;
  if (options.series === true) addOutOfOrder(file, time, faults);
  return {
    valid: faults.count === 0,
    rowCount: file.rowCount,
    faults: faults.faults,
    faultCount: faults.count,
    warnings: [
      ...file.warnings,
      ...(unread ? [] : unknownColumns(file, features)),
      ...featureWarnings(file, features),
    ].slice(0, MAX_LISTED),
  };
}

/** Adds a fault for every column that must be there and is not; `told` has the names of those already added. */
export function addAbsentColumns(
  header: readonly string[],
  features: readonly Pick<ExpectedFeature, "name" | "type" | "role" | "required">[],
  told: ReadonlySet<string | null>,
  faults: FaultList,
): void {
  const present = new Set(header);
  const wanted = new Set(features.map(({ name }) => name));
  const nearest = nameFinder(header.filter((name) => !wanted.has(name)));
  for (const { name, type, required, role } of features) {
    if ((required || role === "timestamp") && !present.has(name) && !told.has(name))
      faults.addLazily(null, name, () => missingColumn(name, type, nearest(name)));
  }
}

function unknownColumns(file: CsvResult, features: readonly ExpectedFeature[]): CsvWarning[] {
  const known = new Set([...features.map(({ name }) => name), ...(file.times?.columns ?? [])]);
  const present = new Set(file.header);
  const nearestFeature = nameFinder(features.map(({ name }) => name).filter((name) => !present.has(name)));
  return file.header
    .filter((name) => name !== "" && !known.has(name))
    .slice(0, MAX_LISTED)
    .map((column) => {
      const nearest = nearestFeature(column);
      const hint = nearest === null ? "" : ` Did you mean "${shorten(nearest)}"?`;
      const message = `The model does not use column "${shorten(column)}"; it is ignored.${hint}`;
      return { code: "unknown_column", column, message, ...(nearest === null ? {} : { nearest }) };
    });
}

function addOutOfOrder(file: CsvResult, time: string | undefined, faults: FaultList): void {
  const column = file.table.columns.find(({ name }) => name === time);
  if (column === undefined || column.type !== "timestamp") return;
  const { name, values } = column;
  let latest = Number.NEGATIVE_INFINITY;
  let latestRow = 0;
  for (let i = 0; i < values.length; i++) {
    const at = values[i]!;
    if (Number.isNaN(at)) continue;
    const row = i + 1;
    if (at > latest) {
      latest = at;
      latestRow = row;
    } else if (at === latest) faults.addLazily(row, name, () => duplicateTime(row, name, at, latestRow));
    else faults.addLazily(row, name, () => earlierTime(row, name, at, latest));
  }
}

function earlierTime(row: number, column: string, at: number, latest: number): Fault {
  const value = new Date(at).toISOString();
  return {
    row,
    column,
    value,
    code: "timestamps_unsorted",
    message: `Row ${row}, column "${shorten(column)}": the time ${value} is before that of a row above it.`,
    expected: `a time after ${new Date(latest).toISOString()}`,
  };
}

function featureWarnings(file: CsvResult, features: readonly ExpectedFeature[]): CsvWarning[] {
  const columns = new Map(file.table.columns.map((column) => [column.name, column]));
  return features.flatMap((feature) => {
    const column = columns.get(feature.name);
    const warning = column === undefined ? null : outsideWarning(column, feature);
    return warning === null ? [] : [warning];
  });
}
