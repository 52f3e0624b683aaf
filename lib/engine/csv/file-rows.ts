import { counted } from "#lib/contract/counted";
import type { Table } from "#lib/contract/table";
import { trimmed } from "./byte-rows.ts";
import { isBlank } from "./dialect.ts";
import { type FileColumn, finishColumns } from "./file-columns.ts";
import { type FaultList, shorten } from "./issues.ts";
import { MissingValues } from "./missing-values.ts";
import type { CsvColumn, CsvOptions, CsvTimes } from "./options.ts";

/** Puts the rows of a file, cell by cell, into its columns. */
export class FileRows {
  readonly columns: readonly FileColumn[];
  /** Cells of the header. */
  readonly width: number;
  readonly #delimiter: string;
  readonly #options: CsvOptions;
  readonly #faults: FaultList;
  readonly #missing = new MissingValues();
  #count = 0;
  /** Rows that `take` has given out. */
  #taken = 0;
  /** Blank lines of a file with one column: missing values, unless nothing follows them. */
  #blank = 0;

  constructor(
    columns: readonly FileColumn[],
    {
      width,
      delimiter,
      options,
      faults,
    }: { width: number; delimiter: string; options: CsvOptions; faults: FaultList },
  ) {
    this.columns = columns;
    this.width = width;
    this.#delimiter = delimiter;
    this.#options = options;
    this.#faults = faults;
  }

  get count(): number {
    return this.#count;
  }

  /** Rows that are read and were not taken yet. */
  get held(): number {
    return this.#count - this.#taken;
  }

  /** The rows since the last call; null where a column needs all rows to tell what it is. */
  take(): Table | null {
    if (this.columns.some(({ reader }) => reader.isWholeOnly === true)) return null;
    const table = { rowCount: this.held, columns: this.columns.map(({ reader }) => reader.take()) };
    this.#missing.add(table.columns);
    this.#taken = this.#count;
    return table;
  }

  /** What was not taken yet, and what there is to say of the columns as wholes. */
  finish(): { table: Table; read: CsvColumn[]; times: CsvTimes | null } {
    const { columns, times } = finishColumns(this.columns, this.#options, this.#faults);
    this.#missing.add(columns);
    const read = columns.map(({ name, type }, index) => ({ name, type, missing: this.#missing.of(index) }));
    return { table: { rowCount: this.held, columns }, read, times };
  }

  add(row: readonly string[]): void {
    const { columns } = this;
    if (row.length === 1 && isBlank(row)) {
      this.#blank++;
      return;
    }
    this.begin();
    if (row.length !== this.width) {
      this.#addRagged(row);
      return;
    }
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c]!;
      column.reader.push(trimmed(row[column.index]!));
    }
  }

  /** Whoever begins a row gives its cells to the readers of the columns. */
  begin(): void {
    if (this.#blank > 0) this.#addBlank();
    this.#count++;
  }

  /** With several columns a blank line is no row; with one it is a missing value. */
  #addBlank(): void {
    if (this.width === 1) {
      for (let i = 0; i < this.#blank; i++) {
        this.#count++;
        for (const { reader } of this.columns) reader.push("");
      }
    }
    this.#blank = 0;
  }

  #addRagged(row: readonly string[]): void {
    for (const { reader } of this.columns) reader.skip();
    const number = this.#count;
    const { width } = this;
    this.#faults.addLazily(number, null, () => ({
      row: number,
      column: null,
      value: shorten(row.join(this.#delimiter)),
      code: "ragged_row",
      message: `Row ${number} has ${counted(row.length, "value")}, the header has ${counted(width, "column")}.`,
      expected: counted(width, "value"),
    }));
  }
}
