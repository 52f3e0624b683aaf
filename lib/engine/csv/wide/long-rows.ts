import type { Shape } from "#lib/contract/reading";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { missingColumn } from "../cell-issues.ts";
import { isBlank } from "../dialect.ts";
import type { FileRows } from "../file-rows.ts";
import type { IssueList } from "../issues.ts";
import type { CsvOptions } from "../options.ts";
import type { Origin } from "../origin.ts";
import { isWideTime } from "./wide-header.ts";

/** Name of the column of times, unless the request names one that the file does not have. */
export const TIME_COLUMN = "time";

/**
 * Turns the rows of a wide table into long rows. For example, the row `Bonn,3,5` under `city,2024-01,2024-02` becomes
 * `Bonn,2024-01,3` and `Bonn,2024-02,5` under `city,time,value`.
 */
export class LongRows {
  /** Names of the columns of the long table. */
  readonly header: string[];
  /** Number of cells in a row of the file. */
  readonly width: number;
  readonly wide: NonNullable<Origin["wide"]>;
  readonly #skipped: ReadonlySet<number>;
  readonly #kept: number[] = [];
  readonly #timePlaces: number[] = [];

  constructor(
    header: readonly string[],
    {
      times,
      skipRows,
      ...names
    }: Pick<NonNullable<Origin["wide"]>, "times" | "timeName" | "valueName"> & Pick<CsvOptions, "skipRows">,
  ) {
    this.width = header.length;
    const areTimes = new Set(times);
    header.forEach((name, place) => {
      (areTimes.has(name) ? this.#timePlaces : this.#kept).push(place);
    });
    this.wide = { ...names, times: this.#timePlaces.map((place) => header[place]!), starts: [] };
    this.#skipped = new Set(skipRows);
    this.header = [...this.#kept.map((place) => header[place]!), names.timeName, names.valueName];
  }

  /** Adds the long rows of a row of the file. */
  addTo(rows: FileRows, row: readonly string[]): void {
    if (isBlank(row)) return;
    const { starts } = this.wide;
    starts.push(rows.count);
    if (this.#skipped.has(starts.length)) return;
    if (row.length !== this.width) rows.addRagged(row, this.width);
    else for (const one of this.of(row)) rows.add(one);
  }

  /** Returns one row for each time. */
  of(row: readonly string[]): string[][] {
    const kept = this.#kept.map((place) => row[place]!);
    return this.#timePlaces.map((place, at) => [...kept, this.wide.times[at]!, row[place]!]);
  }
}

/**
 * Returns how the rows below a header become long, or null if they stay as they are. Further files of a dataset may have
 * other times, or be long already.
 */
export function longRowsFor(
  header: readonly string[],
  { shape, columns, timestamp, skipRows }: CsvOptions,
  issues: IssueList,
): LongRows | null {
  if (shape === undefined) return null;
  const asked = timestamp == null ? [] : typeof timestamp === "string" ? [timestamp] : timestamp;
  const timeName = asked.find((name) => !header.includes(name)) ?? TIME_COLUMN;
  const { valueName } = shape;
  const known = new Set(shape.times);
  if (columns === undefined) {
    addAbsentTimes(header, shape, issues);
    return new LongRows(header, { times: shape.times, timeName, valueName, skipRows });
  }
  const expected = new Set(columns.map(({ name }) => name));
  const times = header.filter((name) => known.has(name) || (!expected.has(name) && isWideTime(name)));
  return times.length === 0 || header.includes(valueName)
    ? null
    : new LongRows(header, { times, timeName, valueName, skipRows });
}

function addAbsentTimes(header: readonly string[], { times }: Shape, issues: IssueList): void {
  const present = new Set(header);
  const nearest = nameFinder(header);
  for (const name of times)
    if (!present.has(name)) issues.addLazily(null, name, () => missingColumn(name, null, nearest(name)));
}
