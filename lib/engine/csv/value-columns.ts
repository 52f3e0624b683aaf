import type { Choice } from "#lib/contract/reading";
import type { Column } from "#lib/contract/table";
import { badValue, missingValue, notABoolean, notANumber, notInFormat } from "./cell-issues.ts";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import { unescapeFormula } from "./formulas.ts";
import { Growing } from "./growing.ts";
import { type CsvWarning, shorten } from "./issues.ts";
import { MarkWatch } from "./mark-watch.ts";
import { numberReader } from "./number-format.ts";
import { readNumber } from "./numbers.ts";
import { looksMissing } from "./units.ts";
import { valueReader } from "./value-formats.ts";

export class NumberReader implements CellReader {
  readonly #values = new Growing(Float64Array);
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  /** Reads a column with its own number format; null for plain numbers. */
  readonly #read: ((text: string) => number) | null;
  /** Watches a new column whose numbers may be in groups of three digits. */
  readonly #marks: MarkWatch | null;
  /** First integer that a number cannot hold, and their count. */
  #rounded: { row: number; text: string; count: number } | null = null;
  /** Rejected texts that often mark missing values. */
  readonly missingTexts = new Set<string>();

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
    const format = settings.numberFormats.get(expectation.name);
    const chosen = settings.valueFormats.get(expectation.name);
    const named = chosen === undefined ? null : valueReader(chosen);
    this.#read = named ?? (format === undefined ? null : numberReader(format));
    const isWatched = expectation.isNew === true && this.#read === null && !settings.isMarkSure;
    this.#marks = isWatched ? new MarkWatch(settings) : null;
  }

  get numbers(): this | null {
    return this.#read === null ? this : null;
  }

  get needsMarks(): boolean {
    return this.#marks?.mayGroup === true;
  }

  pushNumber(value: number): void {
    const { missingNumbers } = this.#settings;
    const isMissing = missingNumbers.size > 0 && missingNumbers.has(value);
    this.#values.push(isMissing ? Number.NaN : value);
    if (isMissing) this.#addMissing();
    else if (this.#marks?.mayGroup === true) this.#marks.seeWhole(value);
  }

  push(cell: string): void {
    const { decimalComma, missing, missingNumbers } = this.#settings;
    const declaredMissing = missing.size > 0 && missing.has(cell);
    const value = declaredMissing
      ? Number.NaN
      : this.#read === null
        ? readNumber(cell, decimalComma)
        : this.#read(cell);
    if (missingNumbers.size > 0 && missingNumbers.has(value)) {
      this.#values.push(Number.NaN);
      this.#addMissing();
      return;
    }
    this.#values.push(value);
    if (Number.isNaN(value)) this.#addIssue(cell);
    else {
      this.#marks?.see(cell, value, this.#values.total);
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER && /^[-+]?\d+$/.test(cell)) {
        this.#rounded ??= { row: this.#values.total, text: cell, count: 0 };
        this.#rounded.count++;
      }
    }
  }

  skip(): void {
    this.#values.push(Number.NaN);
  }

  #addIssue(cell: string): void {
    const { name } = this.#expectation;
    const { issues, decimalComma } = this.#settings;
    const row = this.#values.total;
    if (!isMissing(cell, this.#settings)) {
      if (looksMissing(cell)) this.missingTexts.add(cell);
      issues.addLazily(row, name, () => this.#notANumber(row, cell, decimalComma));
    } else this.#addMissing();
  }

  #addMissing(): void {
    const { name, missingAllowed } = this.#expectation;
    const row = this.#values.total;
    if (!missingAllowed) this.#settings.issues.addLazily(row, name, () => missingValue(row, name, "number"));
  }

  #notANumber(row: number, cell: string, decimalComma: boolean) {
    const { name } = this.#expectation;
    const format = this.#settings.numberFormats.get(name);
    return format === undefined
      ? notANumber(row, name, cell, decimalComma)
      : notInFormat(row, name, cell, format);
  }

  take(): Column {
    const { name, isNew, isOther } = this.#expectation;
    const { issues, warn } = this.#settings;
    const grouped = this.#marks?.finding(name, isOther === true) ?? null;
    if (grouped !== null && "issue" in grouped) issues.add(grouped.issue);
    else if (grouped !== null) warn(grouped.warning);
    if (isNew === true && this.#rounded !== null) warn(roundedNumbers(name, this.#rounded));
    this.#rounded = null;
    return { name, type: "number", values: this.#values.take() };
  }
}

function roundedNumbers(
  column: string,
  { row, text, count }: { row: number; text: string; count: number },
): CsvWarning {
  const message = `Column "${shorten(column)}": ${shorten(text)} (row ${row}) exceeds 2^53, so numbers like it are rounded. If they are identifiers, read the column as a category.`;
  const cells = [{ row, text: shorten(text), reading: shorten(text) }];
  const choices: Choice[] = [
    { label: `Read ${shorten(column)} as text`, options: { categories: [column] }, cells },
  ];
  return { code: "rounded_numbers", column, message, rows: count, firstRow: row, choices };
}

export class BooleanReader implements CellReader {
  readonly #values = new Growing(Float64Array);
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
  }

  push(cell: string): void {
    const word = isMissing(cell, this.#settings) ? "" : cell.toLowerCase();
    if (word === "true" || word === "1") this.#values.push(1);
    else if (word === "false" || word === "0") this.#values.push(0);
    else {
      this.#values.push(Number.NaN);
      this.#addIssue(cell);
    }
  }

  skip(): void {
    this.#values.push(Number.NaN);
  }

  #addIssue(cell: string): void {
    const { name, missingAllowed } = this.#expectation;
    const { issues } = this.#settings;
    const row = this.#values.total;
    if (!isMissing(cell, this.#settings)) issues.addLazily(row, name, () => notABoolean(row, name, cell));
    else if (!missingAllowed) issues.addLazily(row, name, () => missingValue(row, name, "boolean"));
  }

  take(): Column {
    return { name: this.#expectation.name, type: "boolean", values: this.#values.take() };
  }
}

/** A column with more distinct texts holds identifiers or notes and would fill the memory. */
const CATEGORIES_MAX = 1_000_000;

export class CategoryReader implements CellReader {
  readonly #codes = new Growing(Int32Array);
  readonly #known = new Map<string, number>();
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
  }

  push(cell: string): void {
    if (isMissing(cell, this.#settings)) {
      this.#codes.push(-1);
      const { name, missingAllowed } = this.#expectation;
      const row = this.#codes.total;
      if (!missingAllowed)
        this.#settings.issues.addLazily(row, name, () => missingValue(row, name, "category"));
      return;
    }
    const text = unescapeFormula(cell);
    let code = this.#known.get(text);
    if (code === undefined && this.#known.size < CATEGORIES_MAX) {
      code = this.#known.size;
      this.#known.set(detached(text), code);
    }
    this.#codes.push(code ?? -1);
    if (code === undefined) this.#reject(text);
  }

  #reject(text: string): void {
    const { name } = this.#expectation;
    const row = this.#codes.total;
    const reason = `is a new text in a column that already has ${CATEGORIES_MAX.toLocaleString("en")} different texts; exclude the column`;
    this.#settings.issues.addLazily(row, name, () =>
      badValue({ row, column: name, text, code: "too_many_categories", reason, type: "category" }),
    );
  }

  skip(): void {
    this.#codes.push(-1);
  }

  /** Returns the rows not taken yet, with only their categories, in order of appearance. */
  take(): Column {
    const isWhole = this.#codes.total === this.#codes.length;
    const codes = this.#codes.take();
    const texts = [...this.#known.keys()];
    const { name } = this.#expectation;
    if (isWhole) return { name, type: "category", codes, categories: texts };
    const categories: string[] = [];
    const codeOf = new Map<number, number>();
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!;
      if (code === -1) continue;
      let own = codeOf.get(code);
      if (own === undefined) {
        own = categories.push(texts[code]!) - 1;
        codeOf.set(code, own);
      }
      codes[row] = own;
    }
    return { name, type: "category", codes, categories };
  }
}

/**
 * Copies a text. JavaScript engines keep a slice as a view of the original, so a few categories would hold a large file
 * in memory.
 */
function detached(text: string): string {
  return text.length < 13 ? text : text.split("").join("");
}
