import type { DateRule } from "#lib/contract/date-rule";
import type { Reading } from "#lib/contract/reading";
import type { NumericColumn, Table } from "#lib/contract/table";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { duplicateTime, missingColumn } from "./cell-issues.ts";
import { type CsvWarning, type Issue, IssueList, shorten } from "./issues.ts";
import { OffDateTally } from "./off-date.ts";
import type { CsvOptions, CsvResult, ExpectedColumn } from "./options.ts";
import { OutsideTally, type TrainedOn } from "./outside-training.ts";
import { SeriesTimesCheck } from "./series-times.ts";

/** A feature that a model reads: part of a checkpoint's `inputFeatures`. */
export type ExpectedFeature = TrainedOn & {
  /** Whether the file must contain the column. Timestamps are always required. */
  required: boolean;
  /** Whether cells may be empty because the model imputes them. Default: false for required columns and timestamps. */
  missingAllowed?: boolean | undefined;
  dateRule?: DateRule | undefined;
};

export type CsvCheck = {
  valid: boolean;
  rowCount: number;
  issues: Issue[];
  issueCount: number;
  warnings: CsvWarning[];
  /** How the file was read. */
  reading?: Reading;
};

const MAX_LISTED = 100;

/**
 * Returns the reading options for a file that `checkAgainst` will check: only the features' columns, with their types
 * and the timestamp. `base` holds the dataset's settings: time zone, date order, missing texts, joined timestamp.
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
 * Checks a file that was read with `optionsFor(features)`. Adds to the issues of the cells: missing required columns,
 * with the nearest name; and with `mustBeSorted`, times that go back or repeat; with `series`, times that repeat within a series.
 * Warns about unknown columns, unseen
 * categories and values outside the training range.
 */
export function checkAgainst(
  file: CsvResult,
  features: readonly ExpectedFeature[],
  { mustBeSorted = false, series }: { mustBeSorted?: boolean; series?: readonly string[] | undefined } = {},
): CsvCheck {
  return new RowsCheck(features, { mustBeSorted, series, time: file.times?.column }).finish(file);
}

/** Performs the checks of `checkAgainst` on rows that arrive while a file is read. */
export class RowsCheck {
  readonly #features: readonly ExpectedFeature[];
  readonly #time: string | undefined;
  readonly #order: TimeOrderCheck | SeriesTimesCheck | null;
  readonly #tallies: ReadonlyMap<string, OutsideTally>;
  readonly #offDate: OffDateTally;

  /**
   * @param options.time name of the time column if no feature is a timestamp
   * @param options.series columns that name a series, for a file with many: each series may have each time once
   */
  constructor(
    features: readonly ExpectedFeature[],
    {
      mustBeSorted,
      time,
      series,
    }: { mustBeSorted: boolean; time?: string | undefined; series?: readonly string[] | undefined },
  ) {
    this.#features = features;
    this.#time = features.find(({ role }) => role === "timestamp")?.name ?? time;
    const order = mustBeSorted ? new TimeOrderCheck() : null;
    this.#order = series === undefined ? order : new SeriesTimesCheck(series);
    this.#tallies = new Map(features.map((feature) => [feature.name, new OutsideTally(feature)]));
    this.#offDate = new OffDateTally(features, this.#time);
  }

  /** Adds the next rows. */
  add(table: Table): void {
    this.#offDate.add(table);
    for (const column of table.columns) {
      this.#tallies.get(column.name)?.add(column);
      if (column.name === this.#time && column.type === "timestamp") this.#order?.add(table, column);
    }
  }

  /** Adds the remaining rows of the file and returns the result of the check. */
  finish(file: CsvResult): CsvCheck {
    this.add(file.table);
    const { header } = file;
    const issues = new IssueList(header);
    issues.addAll({ issues: file.issues, count: file.issueCount });
    const reported = new Set(
      file.issues.filter(({ code }) => code === "missing_column").map(({ column }) => column),
    );
    const isUnread = header.length === 0;
    if (!isUnread) addAbsentColumns(header, this.#features, reported, issues);
    if (this.#order !== null) issues.addAll(this.#order.issues);
    const outside = [...this.#tallies.values()].flatMap(({ warning }) => warning ?? []);
    return {
      valid: issues.count === 0,
      rowCount: file.rowCount,
      issues: issues.issues,
      issueCount: issues.count,
      warnings: [
        ...file.warnings,
        ...(isUnread ? [] : unknownColumns(file, this.#features)),
        ...outside,
        ...this.#offDate.warnings,
      ].slice(0, MAX_LISTED),
    };
  }
}

/** Adds an issue for every required column that is missing, except for those in `reported`. */
export function addAbsentColumns(
  header: readonly string[],
  features: readonly Pick<ExpectedFeature, "name" | "type" | "role" | "required">[],
  reported: ReadonlySet<string | null>,
  issues: IssueList,
): void {
  const present = new Set(header);
  const wanted = new Set(features.map(({ name }) => name));
  const nearest = nameFinder(header.filter((name) => !wanted.has(name)));
  for (const { name, type, required, role } of features) {
    if ((required || role === "timestamp") && !present.has(name) && !reported.has(name))
      issues.addLazily(null, name, () => missingColumn(name, type, nearest(name)));
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
      const message = `The model does not use column "${shorten(column)}". The column is ignored.${hint}`;
      return { code: "unknown_column", column, message, ...(nearest === null ? {} : { nearest }) };
    });
}

/** Finds times that go back or repeat. */
class TimeOrderCheck {
  readonly issues = new IssueList();
  #rowCount = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #latestRow = 0;

  add(_table: Table, { name, values }: NumericColumn): void {
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
        this.issues.addLazily(row, name, () => duplicateTime(row, name, at, latestRow));
      else this.issues.addLazily(row, name, () => earlierTime(row, name, at, latest));
    }
  }
}

function earlierTime(row: number, column: string, at: number, latest: number): Issue {
  const value = new Date(at).toISOString();
  return {
    row,
    column,
    value,
    code: "timestamps_unsorted",
    message: `Row ${row}, column "${shorten(column)}": the time ${value} is earlier than the time of a row above. Sort the rows by time.`,
    expected: `a time after ${new Date(latest).toISOString()}`,
  };
}
