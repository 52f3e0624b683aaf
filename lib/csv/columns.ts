import type { Column } from "#lib/contract/table";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import type { FaultList } from "./faults.ts";
import { inferType } from "./infer-types.ts";
import { TimestampReader } from "./timestamp-column.ts";
import { BooleanReader, CategoryReader, NumberReader } from "./value-columns.ts";

/** The reader of one column: of its type, or one that finds the type out. */
export function cellReader(expectation: ColumnExpectation, settings: ColumnSettings): CellReader {
  if (expectation.type === null) return new UndecidedReader(expectation, settings);
  if (expectation.type === "number") return new NumberReader(expectation, settings);
  if (expectation.type === "boolean") return new BooleanReader(expectation, settings);
  if (expectation.type === "category") return new CategoryReader(expectation, settings);
  return new TimestampReader(expectation, settings);
}

/** Keeps the first cells as text until there are enough of them to infer the type, then reads them over. */
export class UndecidedReader implements CellReader {
  #decided: CellReader | null = null;
  /** Null for a row that was skipped. Missing cells before the first value are only counted in it as well. */
  #cells: (string | null)[] = [];
  #present = 0;
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  constructor(expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#expectation = expectation;
    this.#settings = settings;
  }

  get faults(): FaultList {
    return this.inner.faults;
  }

  push(cell: string): void {
    if (this.#decided !== null) {
      this.#decided.push(cell);
      return;
    }
    this.#cells.push(cell);
    if (!isMissing(cell, this.#settings) && ++this.#present >= this.#settings.sampleSize) this.#decide();
  }

  skip(): void {
    if (this.#decided === null) this.#cells.push(null);
    else this.#decided.skip();
  }

  /** The reader of the inferred type; decided now if it was not yet. */
  get inner(): CellReader {
    return this.#decided ?? this.#decide();
  }

  finish(): Column {
    return this.inner.finish();
  }

  #decide(): CellReader {
    const sample = this.#cells.filter(
      (cell) => cell !== null && !isMissing(cell, this.#settings),
    ) as string[];
    const type = inferType(sample, this.#settings.decimalComma);
    const reader = cellReader({ ...this.#expectation, type }, this.#settings);
    for (const cell of this.#cells) {
      if (cell === null) reader.skip();
      else reader.push(cell);
    }
    this.#cells = [];
    this.#decided = reader;
    return reader;
  }
}
