import type { Column } from "#lib/contract/table";
import {
  addMissingFault,
  type CellReader,
  type ColumnExpectation,
  type ColumnSettings,
  isMissing,
} from "./cell-reader.ts";
import { FaultList, shorten } from "./faults.ts";
import { GrowingFloats } from "./growing.ts";
import { readNumber } from "./numbers.ts";
import {
  numericTimeFormat,
  numericTimeMs,
  packYearLast,
  readIso,
  type TimestampFormat,
  unpackYearLast,
  yearLastMs,
} from "./timestamps.ts";
import { ZoneClock } from "./timezones.ts";

const DAY_MS = 86_400_000;
const EXPECTED = "a date or time such as 2024-03-31 or 2024-03-31T14:00:00Z";

/** A second column that tells the time of day, in ms, for each row; NaN where it has none. */
export type TimesOfDay = { name: string; values: Float64Array };

/**
 * Reads a column of dates or times. The first value decides the form; values of another form are faults.
 * Dates with the year last stay packed until the end, when all rows together tell month from day.
 */
export class TimestampReader implements CellReader {
  readonly faults: FaultList;
  format: TimestampFormat | null = null;
  /** Whether the texts name their zone themselves; null before the first value. */
  zoned: boolean | null = null;
  /** The row (from 1) that first shows the number over 12 in that place, and how many do. */
  #firstOver12 = 0;
  #secondOver12 = 0;
  #firstUndecided = 0;
  #separator = "/";
  readonly #values = new GrowingFloats();
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;
  #timesOfDay: TimesOfDay | null = null;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
    this.faults = new FaultList(settings.maxFaults);
  }

  push(cell: string): void {
    if (isMissing(cell, this.#settings)) {
      this.#values.push(Number.NaN);
      const { name, missingAllowed } = this.#expectation;
      if (!missingAllowed) addMissingFault(this.faults, name, this.#values.length, EXPECTED);
      return;
    }
    if (this.format === null) this.format = formatOf(cell, this.#settings.decimalComma);
    this.#values.push(this.#read(cell));
    const value = this.#values.last();
    if (Number.isNaN(value)) this.#refuse(cell);
  }

  skip(): void {
    this.#values.push(Number.NaN);
  }

  /** The value as it is kept until `finish`: packed for a date with the year last. */
  #read(cell: string): number {
    if (this.format === "iso") {
      const { ms, zoned } = readIso(cell);
      if (Number.isNaN(ms)) return ms;
      this.zoned ??= zoned;
      if (this.zoned === zoned) return ms;
      const row = this.#values.length + 1;
      this.#fault(
        row,
        cell,
        "mixed_zones",
        `${zoned ? "names its zone" : "names no zone"}, while the rows before ${zoned ? "do not" : "do"}`,
      );
      return Number.POSITIVE_INFINITY;
    }
    if (this.format === "month-day-year") {
      const packed = packYearLast(cell);
      if (!Number.isNaN(packed)) this.#note(packed, cell);
      return packed;
    }
    if (this.format === null) return Number.NaN;
    this.zoned = this.format !== "year";
    return numericTimeMs(readNumber(cell, this.#settings.decimalComma), this.format);
  }

  #note(packed: number, cell: string): void {
    const { first, second } = unpackYearLast(packed);
    if (this.#values.length === 0)
      this.#separator = cell.includes(".") ? "." : cell.includes("/") ? "/" : "-";
    if (first > 12) this.#firstOver12++;
    if (second > 12) this.#secondOver12++;
    if (first !== second && this.#firstUndecided === 0) this.#firstUndecided = this.#values.length + 1;
  }

  #refuse(cell: string): void {
    const row = this.#values.length;
    if (readsAsImpossibleDate(cell)) {
      this.#fault(row, cell, "invalid_date", "is no day of the calendar or no time of a day");
    } else {
      this.#fault(
        row,
        cell,
        "not_a_timestamp",
        this.#isTime(cell) ? "is written unlike the rows before" : "is not a date or time",
      );
    }
  }

  #isTime(cell: string): boolean {
    return formatOf(cell, this.#settings.decimalComma) !== null;
  }

  #fault(
    row: number,
    text: string,
    code: "mixed_zones" | "invalid_date" | "not_a_timestamp" | "ambiguous_date" | "time_not_in_timezone",
    reason: string,
  ): void {
    const { name } = this.#expectation;
    this.faults.addLazily(() => {
      const value = shorten(text);
      const message = `Row ${row}, column "${name}": "${value}" ${reason}.`;
      return { row, column: name, value, code, message, expected: EXPECTED };
    });
  }

  /** Adds the times of day of a second column to the dates of this one. Before `finish`. */
  join(timesOfDay: TimesOfDay): void {
    this.#timesOfDay = timesOfDay;
  }

  finish(): Column {
    const values = this.#values.take();
    const packed = this.format === "month-day-year";
    if (packed) this.format = this.#decideOrder(values);
    const order = this.format === "day-month-year" ? "day-first" : "month-first";
    const clock = this.zoned === true ? null : new ZoneClock(this.#settings.timezone);
    let before = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < values.length; i++) {
      const raw = values[i]!;
      if (Number.isNaN(raw)) continue;
      if (raw === Number.POSITIVE_INFINITY) {
        values[i] = Number.NaN;
        continue;
      }
      let ms = packed ? yearLastMs(raw, order) : raw;
      if (Number.isNaN(ms)) {
        this.#fault(
          i + 1,
          this.#textOf(raw),
          "invalid_date",
          `is no day of the calendar when read as ${this.format}`,
        );
      } else {
        if (this.#timesOfDay !== null) ms = this.#joined(i, ms, this.#timesOfDay);
        if (!Number.isNaN(ms) && clock !== null) ms = this.#zonedTime(i, ms, before, clock);
      }
      values[i] = ms;
      if (!Number.isNaN(ms)) before = ms;
    }
    return { name: this.#expectation.name, type: "timestamp", values };
  }

  #joined(index: number, ms: number, times: TimesOfDay): number {
    if (this.zoned !== true && ms % DAY_MS === 0) return ms + times.values[index]!;
    const text = new Date(ms).toISOString();
    this.#fault(
      index + 1,
      text,
      "not_a_timestamp",
      `already has a time, so that column "${times.name}" cannot be joined to it`,
    );
    return Number.NaN;
  }

  #zonedTime(index: number, ms: number, before: number, clock: ZoneClock): number {
    const utc = clock.toUtc(ms, before);
    if (Number.isNaN(utc)) {
      const text = new Date(ms).toISOString().slice(0, 19);
      this.#fault(
        index + 1,
        text,
        "time_not_in_timezone",
        `is skipped by the clocks of ${this.#settings.timezone}`,
      );
    }
    return utc;
  }

  #textOf(packed: number): string {
    const { year, first, second } = unpackYearLast(packed);
    return [first, second, year].join(this.#separator);
  }

  #decideOrder(values: Float64Array): TimestampFormat {
    const hint = this.#settings.dateOrder;
    if (hint !== null) return hint === "day-first" ? "day-month-year" : "month-day-year";
    if (this.#firstOver12 > this.#secondOver12) return "day-month-year";
    if (this.#secondOver12 > 0 || this.#firstUndecided === 0) return "month-day-year";
    const raw = values[this.#firstUndecided - 1]!;
    const monthFirst = dayText(yearLastMs(raw, "month-first"));
    const dayFirst = dayText(yearLastMs(raw, "day-first"));
    this.#fault(
      this.#firstUndecided,
      this.#textOf(raw),
      "ambiguous_date",
      `can be ${monthFirst} as well as ${dayFirst}, and no row of the column has a day above 12 that would decide it; write ${monthFirst} or ${dayFirst}`,
    );
    return "month-day-year";
  }
}

/** The form of one text, `month-day-year` standing for either order; null if it is no time at all. */
function formatOf(text: string, decimalComma: boolean): TimestampFormat | null {
  if (!Number.isNaN(readIso(text).ms)) return "iso";
  if (!Number.isNaN(packYearLast(text))) return "month-day-year";
  const value = readNumber(text, decimalComma);
  return !Number.isNaN(value) ? numericTimeFormat(value) : null;
}

const DATE_SHAPED = /^(\d{4}[-/]\d{1,2}([-/]\d{1,2})?|\d{1,2}([/.-])\d{1,2}\3\d{4})([T ,].*)?$/;

function readsAsImpossibleDate(text: string): boolean {
  return DATE_SHAPED.test(text) && Number.isNaN(readIso(text).ms) && Number.isNaN(packYearLast(text));
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
