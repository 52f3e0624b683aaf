import type { Column, ColumnType } from "#lib/contract/table";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import { inferType } from "./infer-types.ts";
import { proposeNumberFormat } from "./number-format.ts";
import { readNumber } from "./numbers.ts";
import type { CsvColumn } from "./options.ts";
import { TimestampReader } from "./timestamp-column.ts";
import { looksMissing } from "./units.ts";
import { BooleanReader, CategoryReader, NumberReader } from "./value-columns.ts";

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
  proposal: Pick<CsvColumn, "numberFormat" | "missingTexts"> = {};
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
    const type = inferType(this.#cells, decimalComma);
    this.proposal = proposal(this.#cells, type, decimalComma);
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

function proposal(cells: readonly string[], type: ColumnType, decimalComma: boolean) {
  const missingTexts = [...new Set(cells.filter(looksMissing))];
  const values = missingTexts.length === 0 ? cells : cells.filter((cell) => !looksMissing(cell));
  const isPlain = type !== "number" || values.every((cell) => !Number.isNaN(readNumber(cell, decimalComma)));
  return {
    ...(missingTexts.length > 0 && { missingTexts }),
    ...(!isPlain && { numberFormat: proposeNumberFormat(values, decimalComma) ?? undefined }),
  };
}
