import type { Choice } from "#lib/contract/reading";
import type { Column, ColumnType } from "#lib/contract/table";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import { type CsvWarning, shorten } from "./issues.ts";
import { proposeNumberFormat } from "./number-format.ts";
import { looksNegative, looksNumeric, readNumber } from "./numbers.ts";
import type { CsvColumn } from "./options.ts";
import { formatsThatRead } from "./time-formats.ts";
import { TimestampReader } from "./timestamp-column.ts";
import { commonUnit, looksMissing } from "./units.ts";
import { BooleanReader, CategoryReader, NumberReader } from "./value-columns.ts";
import { proposeValueFormat } from "./value-formats.ts";

/** Returns the reader for a column: of its declared type, or one that infers the type. */
export function cellReader(expectation: ColumnExpectation, settings: ColumnSettings): CellReader {
  if (expectation.type === null) return new UndecidedReader(expectation, settings);
  if (expectation.type === "number") return new NumberReader(expectation, settings);
  if (expectation.type === "boolean") return new BooleanReader(expectation, settings);
  if (expectation.type === "category") return new CategoryReader(expectation, settings);
  return new TimestampReader(expectation, settings);
}

/**
 * Keeps the first values as text until there are enough to infer the type, then reads them again with the inferred
 * type. Keeps no cell for a row without a value.
 */
export class UndecidedReader implements CellReader {
  #decided: CellReader | null = null;
  #length = 0;
  readonly #cells: string[] = [];
  /** Rows (from 0) of the kept cells. */
  readonly #rows: number[] = [];
  /** Rows (from 0) that cannot be read. */
  readonly #skipped: number[] = [];
  /** Options that would read the first values. Known once the type is inferred. */
  proposal: Pick<CsvColumn, "numberFormat" | "missingTexts" | "columnFormat" | "mayBeTime"> = {};
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
  }

  get numbers(): CellReader["numbers"] {
    return this.#decided?.numbers;
  }

  push(cell: string): void {
    if (this.#decided !== null) {
      this.#decided.push(cell);
      return;
    }
    const row = this.#length++;
    if (isMissing(cell, this.#settings)) return;
    this.#cells.push(cell);
    this.#rows.push(row);
    if (this.#cells.length >= this.#settings.sampleSize) this.#decide();
  }

  skip(): void {
    if (this.#decided !== null) {
      this.#decided.skip();
      return;
    }
    // If cells may be empty, a skipped row counts as a missing value.
    if (!this.#expectation.missingAllowed) this.#skipped.push(this.#length);
    this.#length++;
  }

  /** The reader of the inferred type. Infers the type now if necessary. */
  get inner(): CellReader {
    return this.#decided ?? this.#decide();
  }

  get needsAllRows(): boolean {
    return this.#decided === null || this.#decided.needsAllRows === true;
  }

  take(): Column {
    return this.inner.take();
  }

  #decide(): CellReader {
    const { decimalComma } = this.#settings;
    const { isOther } = this.#expectation;
    const areIds = isOther === true && this.#cells.length > 0 && this.#cells.every(isLargeInteger);
    const areNumbers = this.#cells.every((cell) => !Number.isNaN(readNumber(cell, decimalComma)));
    const type = areIds ? "category" : areNumbers ? "number" : inferType(this.#cells, decimalComma);
    this.proposal = proposal(this.#cells, type, decimalComma, { isTarget: isOther !== true, areNumbers });
    const zeros =
      type === "number" && isOther === true
        ? this.#cells.findIndex((text) => text[0] === "0" && LEADING_ZERO.test(text))
        : -1;
    if (zeros !== -1)
      this.#settings.warn(leadingZeros(this.#expectation.name, this.#rows[zeros]! + 1, this.#cells[zeros]!));
    const reader = cellReader({ ...this.#expectation, type }, this.#settings);
    let cell = 0;
    let skipped = 0;
    for (let row = 0; row < this.#length; row++) {
      if (row === this.#rows[cell]) reader.push(this.#cells[cell++]!);
      else if (row === this.#skipped[skipped]) {
        reader.skip();
        skipped++;
      } else reader.push("");
    }
    this.#cells.length = 0;
    this.#decided = reader;
    return reader;
  }
}

/** Returns whether a number has the shape of a date: 202401, 2024013114 or 01.2024. */
const isCalendarNumber = (text: string) =>
  /^(?:19|20)\d{4}(?:\d\d){0,4}$|^\d{1,2}\.(?:19|20)\d\d$/.test(text) && formatsThatRead(text).length > 0;

/** Returns whether a text is an integer that a number cannot hold exactly, as identifiers are. */
const isLargeInteger = (text: string) => /^\d{16,}$/.test(text) && Number(text) > Number.MAX_SAFE_INTEGER;

/** Codes such as postcodes. Hours and months often have two digits. */
const LEADING_ZERO = /^0\d{2,}$/;

function leadingZeros(column: string, row: number, text: string): CsvWarning {
  const shown = shorten(text);
  const message = `Column "${shorten(column)}": "${shown}" (row ${row}) is read as the number ${Number(text)}. If such cells are codes, read the column as a category.`;
  const cells = [{ row, text: shown, reading: shown }];
  const choices: Choice[] = [
    { label: `Read ${shorten(column)} as text`, options: { categories: [column] }, cells },
  ];
  return { code: "leading_zeros", column, message, firstRow: row, choices };
}

function proposal(
  cells: readonly string[],
  type: ColumnType,
  decimalComma: boolean,
  { isTarget, areNumbers }: { isTarget: boolean; areNumbers: boolean },
) {
  const missingTexts = areNumbers ? [] : [...new Set(cells.filter(looksMissing))];
  const values = missingTexts.length === 0 ? cells : cells.filter((cell) => !looksMissing(cell));
  const isPlain =
    type !== "number" || areNumbers || values.every((cell) => !Number.isNaN(readNumber(cell, decimalComma)));
  const named = isPlain && !isTarget ? null : proposeValueFormat(values);
  // A time of day is a duration only in the target.
  const columnFormat = named === "duration" && !isTarget ? null : named;
  return {
    ...(missingTexts.length > 0 && { missingTexts }),
    ...(!isTarget &&
      type === "number" &&
      cells.length > 2 &&
      cells.every(isCalendarNumber) && { mayBeTime: true }),
    ...(columnFormat !== null && { columnFormat }),
    ...(columnFormat === null &&
      !isPlain && { numberFormat: proposeNumberFormat(values, decimalComma) ?? undefined }),
  };
}

/** Returns whether a text is `true` or `false` in any case. Such texts make a column boolean. */
function isBooleanWord(text: string): boolean {
  const lower = text.toLowerCase();
  return lower === "true" || lower === "false";
}

/**
 * Infers a column's type from its first values, none of them missing. A majority of numbers makes the column a number,
 * a majority of dates a timestamp. The other values are then issues with their rows, not a reason to read the whole
 * column as text. A column is boolean only if all values are. Without values, the type is number.
 *
 * Numbers with the same unit count as numbers, which the column's number format reads. Texts that often mark missing
 * values do not count. Negative numbers in parentheses count only if there are more plain numbers than other texts: alone
 * or among texts, (1) and (2) are labels.
 */
function inferType(sample: readonly string[], decimalComma: boolean): ColumnType {
  let numbers = 0;
  let negatives = 0;
  let booleans = 0;
  let times = 0;
  let marks = 0;
  const others: string[] = [];
  for (const text of sample) {
    if (looksNumeric(text, decimalComma)) numbers++;
    else if (looksNegative(text, decimalComma)) negatives++;
    else if (isBooleanWord(text)) booleans++;
    else if (formatsThatRead(text).length > 0) times++;
    else if (looksMissing(text)) marks++;
    else others.push(text);
  }
  if (booleans > 0 && booleans === sample.length) return "boolean";
  const counted = sample.length - marks;
  if (numbers > counted - numbers - negatives) numbers += negatives;
  const withUnit = numbers * 2 > counted ? 0 : (commonUnit(others)?.count ?? 0);
  if ((numbers + withUnit) * 2 > counted || sample.length === 0) return "number";
  if (times * 2 > counted) return "timestamp";
  return "category";
}
