import type { Column } from "#lib/contract/table";
import { type CellReader, type ColumnExpectation, type ColumnSettings, isMissing } from "./cell-reader.ts";
import { TimestampReader } from "./timestamp-column.ts";

/**
 * Reads times that are spread over several columns. Either the first column holds dates, and the second one hours, which
 * `finishColumns` joins; or the first one holds years, and the parts of a row are read as one text, such as `2024 3`.
 */
export class JoinedReader implements CellReader {
  /** Null until the first row with a value. */
  #inner: TimestampReader | null = null;
  #isOfParts: boolean;
  readonly #cells: string[] = [];
  #seen = 0;
  /** Rows before the first one with a value. */
  #before = 0;
  readonly #names: readonly string[];
  readonly #expectation: ColumnExpectation;
  readonly #settings: ColumnSettings;

  /** @param names the columns that hold the parts, first this one */
  constructor(names: readonly string[], expectation: ColumnExpectation, settings: ColumnSettings) {
    this.#names = names;
    this.#expectation = expectation;
    this.#settings = settings;
    this.#isOfParts = names.length > 2;
  }

  /** Receives the cell of a column. All columns pass theirs, in the order of the file. */
  see(place: number, cell: string): void {
    this.#cells[place] = cell;
    if (++this.#seen < this.#names.length) return;
    this.#seen = 0;
    const [first, ...others] = this.#cells as [string, ...string[]];
    if (this.#inner === null) {
      if (isMissing(first, this.#settings)) {
        this.#before++;
        return;
      }
      const stored = this.#settings.timeFormats.get(this.#expectation.name);
      const isYear = !this.#settings.isUnstored && /^\d{4}$/.test(first);
      this.#isOfParts ||= stored === undefined ? isYear : stored.includes("+");
    }
    if (!this.#isOfParts || isMissing(first, this.#settings)) this.inner.push(first);
    // The reader of the column reports the missing part.
    else if (others.some((part) => isMissing(part, this.#settings))) this.inner.skip();
    else this.inner.push(this.#cells.join(" "));
  }

  push(cell: string): void {
    this.see(0, cell);
  }

  skip(): void {
    this.inner.skip();
  }

  get inner(): TimestampReader {
    if (this.#inner === null) {
      const parts = this.#isOfParts ? { isJoined: true, names: this.#names } : {};
      this.#inner = new TimestampReader({ ...this.#expectation, ...parts }, this.#settings);
      for (let row = 0; row < this.#before; row++) this.#inner.push("");
    }
    return this.#inner;
  }

  /** Whether the second column holds hours, which are joined after all rows are read. */
  get hasHours(): boolean {
    return !this.#isOfParts;
  }

  get needsAllRows(): boolean {
    return true;
  }

  take(): Column {
    return this.inner.take();
  }
}

/** Reads a column that is part of a time, and passes its cells on. */
export class PartReader implements CellReader {
  readonly own: CellReader;
  readonly #joined: JoinedReader;
  readonly #place: number;

  constructor(own: CellReader, joined: JoinedReader, place: number) {
    this.own = own;
    this.#joined = joined;
    this.#place = place;
  }

  push(cell: string): void {
    this.own.push(cell);
    this.#joined.see(this.#place, cell);
  }

  skip(): void {
    this.own.skip();
  }

  take(): Column {
    return this.own.take();
  }
}
