import type { Choice } from "#lib/contract/reading";
import type { Column } from "#lib/contract/table";
import { ZoneClock } from "#lib/engine/time/timezones";
import { ambiguousTimes, numbersAsTimes, SHOWN_CELLS, type ShownCell } from "./ambiguous-times.ts";
import { badValue, missingHours, missingValue } from "./cell-issues.ts";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import { type Candidate, resolveTimes } from "./column-times.ts";
import { Growing } from "./growing.ts";
import { type IssueCode, shorten } from "./issues.ts";
import { acceptedForms, formatsThatRead, type TimeFormat, timeFormat } from "./time-formats.ts";
import { readIso } from "./time-readers.ts";
import { DATE_SHAPED, HAS_TIME, isDayless, isLikeFormat, shapeOf, YEAR_BEYOND } from "./time-shapes.ts";
import { isWithinYears, readUnstoredNumber } from "./timestamps.ts";

const DAY_MS = 86_400_000;
const OUTSIDE = "is outside the years 1000 to 9999";

/** A second column with the time of day in milliseconds per row. NaN if missing. */
type TimesOfDay = { name: string; values: Float64Array };

/** Numbers that no format reads, such as an index. They are one issue of the column, not one of each row. */
const numbersOnly: Omit<TimeFormat, "name"> = {
  unit: "time",
  example: "",
  read: (text) =>
    /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text.replace(",", ".")) : Number.NaN,
};
const unstoredNumbers: Omit<TimeFormat, "name"> = { ...numbersOnly, isZoned: true, read: readUnstoredNumber };

/**
 * Reads a column of dates or times. Keeps every format that reads all values so far, each with its values. The format
 * is known once one is left, or by all rows together (`resolveTimes`). With a stored format, reads only that format and
 * ISO 8601.
 */
export class TimestampReader implements CellReader {
  #candidates: Candidate[] = [];
  /** Whether the values are instants. Null before the first value. */
  #zoned: boolean | null = null;
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;
  readonly #stored: TimeFormat | null;
  #rows = 0;
  #taken = 0;
  /** First cells, with their row. */
  readonly #shown: ShownCell[] = [];
  #hasListedForms = false;
  #timesOfDay: TimesOfDay | null = null;
  #lacksHours = false;
  /** Time of the previous row that has one, also across calls of `take`. */
  #previous = Number.NEGATIVE_INFINITY;
  /** Whether all clock times so far are midnights. Then a midnight that the clocks skip means the first existing time of the day. */
  #areDays = true;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
    const name = settings.timeFormats.get(expectation.name);
    // Files for ISO times may also have another form, if only one fits.
    this.#stored = name === undefined || name === "iso" ? null : timeFormat(name);
    if (this.#stored !== null) this.#begin([this.#stored]);
  }

  /** The format, once it is known. */
  get format(): TimeFormat | null {
    const [one, ...others] = this.#candidates;
    return one === undefined || others.length > 0 || one.format.example === "" ? null : one.format;
  }

  push(cell: string): void {
    const row = ++this.#rows;
    if (isMissing(cell, this.#settings)) {
      this.#pushAll(Number.NaN);
      const { name, missingAllowed } = this.#expectation;
      if (!missingAllowed)
        this.#settings.issues.addLazily(row, name, () => missingValue(row, name, "timestamp"));
      return;
    }
    if (this.#candidates.length === 0) this.#begin(this.#formatsFor(cell));
    if (this.#lacksTime(cell)) {
      this.#pushAll(Number.NaN);
      return;
    }
    if (this.#shown.length < SHOWN_CELLS) this.#shown.push({ row, text: cell });
    const only = this.#candidates.length === 1 ? this.#candidates[0]! : null;
    if (only !== null) {
      const value = this.#read(only.format, cell);
      only.values.push(value);
      if (Number.isNaN(value)) this.#reject(cell);
      return;
    }
    const values = this.#candidates.map(({ format }) => this.#read(format, cell));
    if (values.every(Number.isNaN)) {
      this.#pushAll(Number.NaN);
      this.#reject(cell);
      return;
    }
    this.#candidates.forEach(({ values: kept }, at) => void kept.push(values[at]!));
    this.#candidates = this.#candidates.filter((_, at) => !Number.isNaN(values[at]));
  }

  skip(): void {
    this.#rows++;
    this.#pushAll(Number.NaN);
  }

  #pushAll(value: number): void {
    for (const { values } of this.#candidates) values.push(value);
  }

  #begin(formats: readonly TimeFormat[]): void {
    this.#candidates = formats.map((format) => ({ format, values: new Growing(Float64Array) }));
    // The rows before the first value; the current row is added by the caller.
    for (let row = 1; row < this.#rows; row++) this.#pushAll(Number.NaN);
  }

  #formatsFor(cell: string): TimeFormat[] {
    const { timeFormats, dateOrder, decimalComma, delimiter, isUnstored } = this.#settings;
    const { name, isJoined = false } = this.#expectation;
    const isKnown = isUnstored || timeFormats.has(name);
    const found = formatsThatRead(cell, isJoined).filter((one) => !isKnown || one.name !== "fiscal-year");
    if (isUnstored && !Number.isNaN(readUnstoredNumber(cell))) {
      const isDate = found.some(({ name }) => name === "YYYYMMDD" || name === "spreadsheet-days");
      return isDate ? [] : [{ name: "epoch-seconds", ...unstoredNumbers }];
    }
    const isDayFirst = dateOrder === null && /^\d{1,2}\.\d/.test(cell) && (decimalComma || delimiter === ";");
    const order = isDayFirst ? "day-first" : dateOrder;
    const inOrder = found.filter((one) => one.order === undefined || order === null || one.order === order);
    const ordered = order === null ? [] : inOrder.filter((one) => one.order !== undefined);
    if (inOrder.length > 0) return ordered.length > 0 ? ordered : inOrder;
    if (found.length > 0) return [timeFormat(order === "day-first" ? "day-month-year" : "month-day-year")];
    return Number.isNaN(numbersOnly.read(cell)) ? [] : [{ name: "epoch-seconds", ...numbersOnly }];
  }

  #read(format: TimeFormat, cell: string): number {
    if (format.name === "iso" || format === this.#stored) {
      const stored = format.name === "iso" ? Number.NaN : format.read(cell);
      // In a column of fiscal years, 2001-05 is no month.
      const mayBeIso = format.name !== "fiscal-year" || cell.length >= "2001-05-01".length;
      const { ms, zoned } =
        Number.isNaN(stored) && mayBeIso ? readIso(cell) : { ms: stored, zoned: format.isZoned === true };
      if (Number.isNaN(ms)) return ms;
      this.#zoned ??= zoned;
      return this.#zoned === zoned && isWithinYears(ms) ? ms : Number.NaN;
    }
    const ms = format.read(cell);
    return isWithinYears(ms) || format.example === "" ? ms : Number.NaN;
  }

  /** Returns whether a date has no time of day although its column is absent, and reports the first one. */
  #lacksTime(cell: string): boolean {
    const { absentHours, name } = this.#expectation;
    if (absentHours === undefined || this.#candidates[0]?.format.isZoned) return false;
    const isOfParts = this.#stored?.name.includes("+") === true;
    if (isOfParts ? !/^\d{4}$/.test(cell) : HAS_TIME.test(cell)) return false;
    if (!this.#lacksHours) this.#settings.issues.add(missingHours(name, absentHours));
    this.#lacksHours = true;
    return true;
  }

  #reject(cell: string): void {
    const iso = readIso(cell);
    const isIso = this.#candidates.some(({ format }) => format.name === "iso") || this.#stored !== null;
    if (isIso && isWithinYears(iso.ms) && this.#zoned === !iso.zoned) {
      const [here, before] = iso.zoned ? ["has a zone", "do not"] : ["has no zone", "do"];
      this.#issue(cell, "mixed_zones", `${here}, while the rows before ${before}`);
      return;
    }
    const others = formatsThatRead(cell, this.#expectation.isJoined);
    const [known] = this.#candidates;
    const isBeyond = !Number.isNaN(iso.ms) && !isWithinYears(iso.ms);
    if (isBeyond || YEAR_BEYOND.test(cell)) this.#issue(cell, "invalid_date", OUTSIDE);
    else if (
      (DATE_SHAPED.test(cell) && (others.length === 0 || isLikeFormat(known?.format, cell))) ||
      (known !== undefined && others.length === 0 && this.#hasShape(cell))
    ) {
      const format = known === undefined ? "or time of day" : `in the format ${known.format.name}`;
      this.#issue(cell, "invalid_date", `is not a valid date ${format}`);
    } else if (others.length > 0 && this.#stored !== null)
      this.#issue(cell, "not_a_timestamp", `is not in the format of the column: ${this.#stored.example}`);
    else if (others.length > 0)
      this.#issue(cell, "not_a_timestamp", "has another format than the rows before");
    else {
      // One list is enough: each row may have this issue.
      const forms = this.#hasListedForms ? "" : `. Accepted forms: ${acceptedForms}`;
      this.#hasListedForms = true;
      this.#issue(cell, "not_a_timestamp", `is not a date or time${forms}`);
    }
  }

  /** Returns whether a cell has the marks and words of the first one, so that only its numbers are wrong. */
  #hasShape(cell: string): boolean {
    const shape = shapeOf(cell);
    return shape !== "9" && shape === shapeOf(this.#shown[0]!.text);
  }

  #issue(text: string, code: IssueCode, reason: string, row = this.#rows, choices?: Choice[]): void {
    const { name } = this.#expectation;
    this.#settings.issues.addLazily(row, name, () => ({
      ...badValue({ row, column: name, text, code, reason, type: "timestamp" }),
      ...(choices && { choices }),
    }));
  }

  /** Whether only all rows together determine the times. */
  get needsAllRows(): boolean {
    return this.#candidates.length > 1 || this.#candidates[0]?.format.example === "";
  }

  /**
   * Adds the times of day of a second column to the dates of this one. Call it before `take`: a joined column is taken
   * once, as a whole.
   */
  join(timesOfDay: TimesOfDay): void {
    const [first] = this.#shown;
    if (first !== undefined && this.#candidates.every(({ format }) => isDayless(format, first.text))) {
      const { name } = this.#expectation;
      const { row, text } = first;
      const message = `Column "${shorten(timesOfDay.name)}" cannot be the hour, because "${shorten(name)}" names no day: "${shorten(text)}". Name a column of days, or the columns of year, month, day and hour.`;
      this.#settings.issues.add({ row, column: timesOfDay.name, value: null, code: "invalid_hour", message });
      timesOfDay.values.fill(Number.NaN);
    }
    this.#timesOfDay = timesOfDay;
  }

  take(): Column {
    const format = this.#resolve();
    const rowsBefore = this.#taken;
    this.#taken = this.#rows;
    const { name } = this.#expectation;
    const values =
      this.#candidates[0]?.values.take() ?? new Float64Array(this.#rows - rowsBefore).fill(Number.NaN);
    if (format === null) return { name, type: "timestamp", values: values.fill(Number.NaN) };
    const zoned = format.name === "iso" || this.#stored !== null ? this.#zoned : format.isZoned;
    const clock = zoned === true ? null : new ZoneClock(this.#settings.timezone);
    for (let i = 0; i < values.length; i++) {
      let ms = values[i]!;
      if (Number.isNaN(ms)) continue;
      if (this.#timesOfDay !== null) ms = this.#joined(i, ms, this.#timesOfDay, zoned === true);
      if (!Number.isNaN(ms) && clock !== null)
        ms = this.#zonedTime(rowsBefore + i, ms, this.#previous, clock);
      values[i] = ms;
      if (!Number.isNaN(ms)) this.#previous = ms;
    }
    return { name, type: "timestamp", values };
  }

  /** Leaves one candidate. Returns its format, or null if the column holds no times. */
  #resolve(): TimeFormat | null {
    const [first] = this.#candidates;
    if (first === undefined) return null;
    if (first.format.example === "") {
      if (first.format.read === readUnstoredNumber) return first.format;
      this.#rejectNumbers(first.values.view());
      return null;
    }
    if (this.#stored !== null || this.#taken > 0) return first.format;
    const { chosen, rivals } = resolveTimes(
      this.#candidates,
      this.#expectation.names ?? [this.#expectation.name],
      this.#shown[0]?.text ?? "",
    );
    if (rivals.length > 0) this.#ask(rivals);
    this.#candidates = [chosen];
    return chosen.format;
  }

  /** Reports the ways to read the column: as an issue, or as a warning if the column is neither target nor timestamp. */
  #ask(rivals: readonly Candidate[]): void {
    const { row, text, reason, message, choices } = ambiguousTimes(rivals, this.#shown, this.#expectation);
    const { name: column, isOther } = this.#expectation;
    if (isOther === true) this.#settings.warn({ code: "ambiguous_column", column, message, choices });
    else this.#issue(text, "ambiguous_date", reason, row, choices);
  }

  #rejectNumbers(values: Float64Array): void {
    const { row, text } = this.#shown[0]!;
    const { reason, choices } = numbersAsTimes(values, this.#shown);
    this.#issue(text, "not_a_timestamp", reason, row, choices);
  }

  #joined(index: number, ms: number, times: TimesOfDay, zoned: boolean): number {
    if (!zoned && ms % DAY_MS === 0) return ms + times.values[index]!;
    const text = new Date(ms).toISOString();
    const reason = `already has a time, so column "${times.name}" cannot be joined to it`;
    this.#issue(text, "not_a_timestamp", reason, index + 1);
    return Number.NaN;
  }

  #zonedTime(index: number, ms: number, previous: number, clock: ZoneClock): number {
    if (ms % DAY_MS !== 0) this.#areDays = false;
    const utc = clock.toUtc(ms, previous, this.#areDays);
    if (isWithinYears(utc)) return utc;
    const text = new Date(ms).toISOString().slice(0, 19);
    if (Number.isNaN(utc)) {
      const reason = `does not exist in ${this.#settings.timezone}: the clocks skip this time`;
      this.#issue(text, "time_not_in_timezone", reason, index + 1);
    } else this.#issue(text, "invalid_date", `${OUTSIDE} in UTC`, index + 1);
    return Number.NaN;
  }
}
