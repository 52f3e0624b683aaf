import type { ColumnType, NumericColumn, Table } from "#lib/contract/table";
import { duplicateTime, missingColumn } from "./cell-issues.ts";
import { type CsvWarning, type Fault, FaultList, shorten } from "./issues.ts";
import { nameFinder } from "./nearest-name.ts";
import type { CsvOptions, CsvResult, ExpectedColumn } from "./options.ts";
import { OutsideTally } from "./outside-training.ts";

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
  return new RowsCheck(features, { ...options, time: file.times?.column }).finish(file);
}

/** The same check of rows that are taken while a file is read. */
export class RowsCheck {
  readonly #features: readonly ExpectedFeature[];
  readonly #maxFaults: number;
  readonly #time: string | undefined;
  readonly #order: TimeOrder | null;
  readonly #tallies: ReadonlyMap<string, OutsideTally>;

  /** @param options.time the column of times where no feature is one */
  constructor(
    features: readonly ExpectedFeature[],
    {
      series = false,
      maxFaults = MAX_LISTED,
      time,
    }: { series?: boolean; maxFaults?: number; time?: string | undefined } = {},
  ) {
    this.#features = features;
    this.#maxFaults = maxFaults;
    this.#time = features.find(({ role }) => role === "timestamp")?.name ?? time;
    this.#order = series ? new TimeOrder(maxFaults) : null;
    this.#tallies = new Map(features.map((feature) => [feature.name, new OutsideTally(feature)]));
  }

  /** Adds the rows that follow. */
  add({ columns }: Table): void {
    for (const column of columns) {
      this.#tallies.get(column.name)?.add(column);
      if (column.name === this.#time && column.type === "timestamp") this.#order?.add(column);
    }
  }

  /** The check of the rows that were added and of what is left of the file. */
  finish(file: CsvResult): CsvCheck {
    this.add(file.table);
    const { header } = file;
    const faults = new FaultList(this.#maxFaults, header);
    faults.addAll({ faults: file.faults, count: file.faultCount });
    const told = new Set(
      file.faults.filter(({ code }) => code === "missing_column").map(({ column }) => column),
    );
    const unread = header.length === 0;
    if (!unread) addAbsentColumns(header, this.#features, told, faults);
    if (this.#order !== null) faults.addAll(this.#order.faults);
    const outside = [...this.#tallies.values()].flatMap(({ warning }) => warning ?? []);
    return {
      valid: faults.count === 0,
      rowCount: file.rowCount,
      faults: faults.faults,
      faultCount: faults.count,
      warnings: [...file.warnings, ...(unread ? [] : unknownColumns(file, this.#features)), ...outside].slice(
        0,
        MAX_LISTED,
      ),
    };
  }
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

/** Finds times that go back, or occur twice. */
class TimeOrder {
  readonly #faults: FaultList;
  #rowCount = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #latestRow = 0;

  constructor(maxFaults: number) {
    this.#faults = new FaultList(maxFaults);
  }

  get faults(): { faults: Fault[]; count: number } {
    return this.#faults;
  }

  add({ name, values }: NumericColumn): void {
    for (let i = 0; i < values.length; i++) {
      const at = values[i]!;
      const row = ++this.#rowCount;
      if (Number.isNaN(at)) continue;
      const latest = this.#latest;
      const latestRow = this.#latestRow;
      if (at > latest) {
        this.#latest = at;
        this.#latestRow = row;
      } else if (at === latest)
        this.#faults.addLazily(row, name, () => duplicateTime(row, name, at, latestRow));
      else this.#faults.addLazily(row, name, () => earlierTime(row, name, at, latest));
    }
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
