import { counted } from "#lib/contract/counted";
import type { Column, Table } from "#lib/contract/table";
import { trimmed } from "./byte-rows.ts";
import type { CellReader } from "./cell-reader.ts";
import { UndecidedReader } from "./columns.ts";
import { isBlank } from "./dialect.ts";
import { type FileColumn, finishColumns, timeFormatOf } from "./file-columns.ts";
import { type IssueList, shorten } from "./issues.ts";
import { missingCount } from "./missing-values.ts";
import { numberCell } from "./number-text.ts";
import type { CellBatch, CsvColumn, CsvOptions, CsvTimes } from "./options.ts";
import type { DateOrder } from "./timestamps.ts";
import { NumberReader } from "./value-columns.ts";

/** Distributes the cells of a file's rows to its columns. */
export class FileRows {
  readonly columns: readonly FileColumn[];
  /** Number of columns in the header. */
  readonly width: number;
  readonly #delimiter: string;
  readonly #options: CsvOptions;
  readonly #issues: IssueList;
  /** Rows without a value so far, by column. */
  readonly #missing: number[];
  #count = 0;
  /** Rows of the file so far, with those that are left out. */
  #fileRow = 0;
  readonly #skipped: ReadonlySet<number>;
  /** Rows that `take` has returned. */
  #taken = 0;
  /** Blank lines since the last row. In a one-column file they are missing values unless nothing follows. */
  #blank = 0;

  constructor(
    columns: readonly FileColumn[],
    {
      width,
      delimiter,
      options,
      issues,
    }: { width: number; delimiter: string; options: CsvOptions; issues: IssueList },
  ) {
    this.columns = columns;
    this.#missing = columns.map(() => 0);
    this.width = width;
    this.#delimiter = delimiter;
    this.#options = options;
    this.#issues = issues;
    this.#skipped = new Set(options.skipRows);
  }

  get count(): number {
    return this.#count;
  }

  /** Number of rows read but not taken yet. */
  get held(): number {
    return this.#count - this.#taken;
  }

  /** Returns the rows since the last call, or null if a column needs all rows first. */
  take(): Table | null {
    if (this.columns.some(({ reader }) => reader.needsAllRows === true)) return null;
    const table = { rowCount: this.held, columns: this.columns.map(({ reader }) => reader.take()) };
    this.#countMissing(table.columns);
    this.#taken = this.#count;
    return table;
  }

  #countMissing(columns: readonly Column[]): void {
    columns.forEach((column, at) => {
      this.#missing[at]! += missingCount(column);
    });
  }

  /** Returns the rows not taken yet, and describes the whole columns. */
  finish(): { table: Table; read: CsvColumn[]; times: CsvTimes | null; dateOrder: DateOrder | null } {
    const { columns, ...times } = finishColumns(this.columns, this.#options, this.#issues);
    this.#countMissing(columns);
    const read = columns.map(({ name, type }, index): CsvColumn => {
      const { reader } = this.columns[index]!;
      const rejected = this.#issues.countOf(name);
      return {
        name,
        type,
        missing: this.#missing[index]!,
        ...(rejected > 0 && { rejected }),
        ...proposalOf(reader),
      };
    });
    return { table: { rowCount: this.held, columns }, read, ...times };
  }

  add(row: readonly string[]): void {
    const { columns } = this;
    if (row.length === 1 && isBlank(row)) {
      this.#blank++;
      return;
    }
    if (!this.begin()) return;
    if (row.length !== this.width) {
      this.#addRagged(row, this.width);
      return;
    }
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c]!;
      column.reader.push(trimmed(row[column.index]!));
    }
  }

  /** Adds rows whose numbers need no reading, except where the text of a number decides. */
  addCells({ rowCount, cells }: CellBatch): void {
    const columns = this.columns.map(({ index, reader }) => {
      const numbers = reader.numbers ?? null;
      return { reader, cells: cells[index]!, numbers, isWhole: numbers?.needsMarks === true };
    });
    for (let row = 0; row < rowCount; row++) {
      if (!this.begin()) continue;
      for (const { reader, cells: ofColumn, numbers, isWhole } of columns) {
        const cell = ofColumn[row];
        if (typeof cell !== "number") reader.push(cell === undefined ? "" : trimmed(cell));
        else if (numbers !== null && isPlain(cell, isWhole)) numbers.pushNumber(cell);
        else reader.push(numberCell(cell));
      }
    }
  }

  /** Begins a row. Unless it returns false, the caller passes the cells to the column readers. */
  begin(): boolean {
    if (this.#blank > 0) this.#addBlank();
    this.#fileRow++;
    if (this.#skipped.size > 0 && this.#skipped.has(this.#fileRow)) return false;
    this.#count++;
    return true;
  }

  /** Adds the blank lines of a one-column file as missing values. Ignores those of other files. */
  #addBlank(): void {
    if (this.width === 1) {
      for (let i = 0; i < this.#blank; i++) {
        this.#count++;
        for (const { reader } of this.columns) reader.push("");
      }
    }
    this.#blank = 0;
  }

  /** Adds a row of the file that has another number of cells than its header. */
  addRagged(row: readonly string[], width: number): void {
    if (this.begin()) this.#addRagged(row, width);
  }

  #addRagged(row: readonly string[], width: number): void {
    for (const { reader } of this.columns) reader.skip();
    const number = this.#count;
    this.#issues.addLazily(number, null, () => ({
      row: number,
      column: null,
      value: shorten(row.join(this.#delimiter)),
      code: "ragged_row",
      message: `Row ${number} has ${counted(row.length, "value")}; the header has ${counted(width, "column")}.`,
      expected: counted(width, "value"),
    }));
  }
}

/** Returns whether a column of numbers needs no text of a number: it is exact, and without a mark if marks are watched. */
const isPlain = (value: number, isWhole: boolean) =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER && (!isWhole || Number.isInteger(value));

function proposalOf(
  reader: CellReader,
): Pick<CsvColumn, "numberFormat" | "missingTexts" | "timeFormat" | "columnFormat" | "mayBeTime"> {
  const format = timeFormatOf(reader);
  if (format !== null) return { timeFormat: format.name };
  if (reader instanceof UndecidedReader) return reader.proposal;
  return reader instanceof NumberReader && reader.missingTexts.size > 0
    ? { missingTexts: [...reader.missingTexts] }
    : {};
}
