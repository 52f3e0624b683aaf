import type { Column } from "#lib/contract/table";
import { badValue, missingHours, missingValue, notATime } from "./cell-issues.ts";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import { DateOrderFinder } from "./date-order.ts";
import { Growing } from "./growing.ts";
import type { IssueCode } from "./issues.ts";
import { readNumber } from "./numbers.ts";
import {
  compactDate,
  isWithinYears,
  numericTimeFormat,
  numericTimeMs,
  packYearLast,
  readIso,
  spreadsheetDate,
  type TimestampFormat,
  yearLastMs,
} from "./timestamps.ts";
import { ZoneClock } from "./timezones.ts";

const DAY_MS = 86_400_000;
/** Epoch numbers below this are near 0. In seconds, it is in March 1973. */
const FAR_FROM_ZERO = 1e8;
const OUTSIDE = "is outside the years 1000 to 9999";

/** A second column with the time of day in milliseconds per row. NaN if missing. */
type TimesOfDay = { name: string; values: Float64Array };

/**
 * Reads a column of dates or times. The first value decides the format; values in another format are issues. If
 * the first epoch number is near 0, all later numbers count as epoch numbers. If it is not, years, 20240131, days of
 * spreadsheets and the other unit of epoch numbers are issues. Dates
 * with the year last stay packed until the end, because only all rows together show which number is the month.
 */
export class TimestampReader implements CellReader {
  format: TimestampFormat | null = null;
  /** Whether the values are instants. Null before the first value, and for dates with the year last. */
  zoned: boolean | null = null;
  readonly #order = new DateOrderFinder();
  readonly #values = new Growing(Float64Array);
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;
  /** Whether the first value is an epoch number of at least `FAR_FROM_ZERO`, positive or negative. */
  #isFarFromZero: boolean | null = null;
  #timesOfDay: TimesOfDay | null = null;
  #lacksHours = false;
  /** Time of the previous row that has one, also across calls of `take`. */
  #previous = Number.NEGATIVE_INFINITY;
  /** Whether all clock times so far are midnights. Then a midnight that the clocks skip means the first existing time of the day. */
  #areDays = true;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
  }

  push(cell: string): void {
    if (isMissing(cell, this.#settings)) {
      this.#values.push(Number.NaN);
      const { name, missingAllowed } = this.#expectation;
      const row = this.#values.total;
      if (!missingAllowed)
        this.#settings.issues.addLazily(row, name, () => missingValue(row, name, "timestamp"));
      return;
    }
    if (this.format === null) this.format = formatOf(cell, this.#settings.decimalComma);
    const { absentHours } = this.#expectation;
    const isDateAlone = absentHours !== undefined && this.#lacksTime(cell, absentHours);
    const value = isDateAlone ? Number.NaN : this.#read(cell);
    const packed = this.format === "month-day-year";
    this.#values.push(packed || isWithinYears(value) ? value : Number.NaN);
    if (Number.isNaN(this.#values.last()) && !isDateAlone) this.#reject(cell, value);
  }

  skip(): void {
    this.#values.push(Number.NaN);
  }

  /** Returns whether a date has no time of day, and reports the first one. An epoch number is a complete time. */
  #lacksTime(cell: string, hours: string): boolean {
    if (this.format === null || this.format.startsWith("epoch") || HAS_TIME.test(cell)) return false;
    if (!this.#lacksHours) this.#settings.issues.add(missingHours(this.#expectation.name, hours));
    this.#lacksHours = true;
    return true;
  }

  /** Returns the value kept until `take`, packed for a date with the year last. */
  #read(cell: string): number {
    if (this.format === null) return Number.NaN;
    if (this.format === "iso") {
      const { ms, zoned } = readIso(cell);
      if (Number.isNaN(ms)) return ms;
      this.zoned ??= zoned;
      return this.zoned === zoned ? ms : Number.NaN;
    }
    if (this.format === "month-day-year") {
      const packed = packYearLast(cell);
      if (!Number.isNaN(packed)) this.#order.see(this.#values.total + 1, packed, cell);
      return packed;
    }
    this.zoned = this.format !== "year";
    const number = readNumber(cell, this.#settings.decimalComma);
    if (this.format === "year") return numericTimeMs(number, this.format);
    this.#isFarFromZero ??= Math.abs(number) >= FAR_FROM_ZERO;
    if (this.#isFarFromZero && numericTimeFormat(number) !== this.format) return Number.NaN;
    return numericTimeMs(number, this.format);
  }

  #reject(cell: string, value: number): void {
    const row = this.#values.total;
    const iso = readIso(cell);
    if (this.format === "iso" && !Number.isNaN(iso.ms) && iso.zoned !== this.zoned) {
      const [here, before] = iso.zoned ? ["has a zone", "do not"] : ["has no zone", "do"];
      this.#issue(row, cell, "mixed_zones", `${here}, while the rows before ${before}`);
      return;
    }
    const number = readNumber(cell, this.#settings.decimalComma);
    const meant = compactDate(number) ?? spreadsheetDate(number);
    if (meant !== null) {
      const kind = meant.length > 10 ? "time" : "day";
      const reason = `is ambiguous: the ${kind} ${meant} or a number of seconds since 1970. For the ${kind}, write ${meant}`;
      this.#issue(row, cell, "ambiguous_date", reason);
    } else if (!Number.isNaN(value) || YEAR_BEYOND.test(cell)) {
      this.#issue(row, cell, "invalid_date", OUTSIDE);
    } else if (readsAsImpossibleDate(cell)) {
      this.#issue(row, cell, "invalid_date", "is not a valid date or time of day");
    } else {
      const known = formatOf(cell, this.#settings.decimalComma) !== null;
      this.#issue(row, cell, "not_a_timestamp", known ? "has another format than the rows before" : notATime);
    }
  }

  #issue(row: number, text: string, code: IssueCode, reason: string): void {
    const { name } = this.#expectation;
    this.#settings.issues.addLazily(row, name, () =>
      badValue({ row, column: name, text, code, reason, type: "timestamp" }),
    );
  }

  /** Whether only all rows together determine the times. */
  get needsAllRows(): boolean {
    return this.format === "month-day-year";
  }

  /**
   * Adds the times of day of a second column to the dates of this one. Call it before `take`: a joined column is taken
   * once, as a whole.
   */
  join(timesOfDay: TimesOfDay): void {
    this.#timesOfDay = timesOfDay;
  }

  take(): Column {
    const rowsBefore = this.#values.total - this.#values.length;
    const values = this.#values.take();
    const packed = this.format === "month-day-year";
    const order = packed ? this.#decideOrder() : "month-first";
    if (packed) this.format = order === "day-first" ? "day-month-year" : "month-day-year";
    const clock = this.zoned === true ? null : new ZoneClock(this.#settings.timezone);
    for (let i = 0; i < values.length; i++) {
      const raw = values[i]!;
      if (Number.isNaN(raw)) continue;
      let ms = packed ? yearLastMs(raw, order) : raw;
      if (Number.isNaN(ms)) {
        const reason = `is not a valid date in the format ${this.format}`;
        const row = rowsBefore + i + 1;
        this.#issue(row, this.#order.textOf(row, raw), "invalid_date", reason);
      } else {
        if (this.#timesOfDay !== null) ms = this.#joined(i, ms, this.#timesOfDay);
        if (!Number.isNaN(ms) && clock !== null)
          ms = this.#zonedTime(rowsBefore + i, ms, this.#previous, clock);
      }
      values[i] = ms;
      if (!Number.isNaN(ms)) this.#previous = ms;
    }
    return { name: this.#expectation.name, type: "timestamp", values };
  }

  #joined(index: number, ms: number, times: TimesOfDay): number {
    if (this.zoned !== true && ms % DAY_MS === 0) return ms + times.values[index]!;
    const text = new Date(ms).toISOString();
    const reason = `already has a time, so column "${times.name}" cannot be joined to it`;
    this.#issue(index + 1, text, "not_a_timestamp", reason);
    return Number.NaN;
  }

  #zonedTime(index: number, ms: number, previous: number, clock: ZoneClock): number {
    if (ms % DAY_MS !== 0) this.#areDays = false;
    const utc = clock.toUtc(ms, previous, this.#areDays);
    if (isWithinYears(utc)) return utc;
    const text = new Date(ms).toISOString().slice(0, 19);
    if (Number.isNaN(utc)) {
      const reason = `does not exist in ${this.#settings.timezone}: the clocks skip this time`;
      this.#issue(index + 1, text, "time_not_in_timezone", reason);
    } else this.#issue(index + 1, text, "invalid_date", `${OUTSIDE} in UTC`);
    return Number.NaN;
  }

  #decideOrder(): "month-first" | "day-first" {
    const { order, undecided } = this.#order.decide(this.#settings.dateOrder);
    if (undecided !== null) {
      const { row, text, monthFirst, dayFirst } = undecided;
      const reason = `is ambiguous: ${monthFirst} or ${dayFirst}. No value of the column has a day above 12, which would show the order. Write ${monthFirst} or ${dayFirst}, or set the dataset's dateOrder`;
      this.#issue(row, text, "ambiguous_date", reason);
    }
    return order;
  }
}

/** Returns the format of a text, `month-day-year` for either order. Null if the text is not a time. */
function formatOf(text: string, decimalComma: boolean): TimestampFormat | null {
  if (!Number.isNaN(readIso(text).ms)) return "iso";
  if (!Number.isNaN(packYearLast(text))) return "month-day-year";
  const value = readNumber(text, decimalComma);
  return !Number.isNaN(value) ? numericTimeFormat(value) : null;
}

/** Matches a text with a time of day after the date. */
const HAS_TIME = /\d,?[T ]+\d/;
const DATE_SHAPED = /^(\d{4}[-/]\d{1,2}([-/]\d{1,2})?|\d{1,2}([/.-])\d{1,2}\3\d{4})([T ,].*)?$/;
const YEAR_BEYOND =
  /^([+-]?\d{5,6}-\d{2}-\d{2}|-\d{4}-\d{2}-\d{2}|\d{1,2}([/.-])\d{1,2}\2(0000|\d{5,6}))([T ,].*)?$/;

function readsAsImpossibleDate(text: string): boolean {
  return DATE_SHAPED.test(text) && Number.isNaN(readIso(text).ms) && Number.isNaN(packYearLast(text));
}
