import type { ColumnMetaData, DataReader, DecodedArray, PageHeader } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { limits } from "#lib/contract/limits";
import type { Cell } from "#lib/engine/csv/options";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { brokenParquet } from "./broken-parquet.ts";
import { ENCODINGS, readDictionary, readPageValues } from "./page-values.ts";
import { asStored, type ParquetColumn } from "./to-cell.ts";

/** Values of a page are in memory at once. Writers put 20,000 rows into a page, or a mebibyte. */
const PAGE_VALUES = 5_000_000;

/** Returns the bytes of a column of a row group. */
function chunkOf(bytes: Uint8Array, facts: ColumnMetaData): DataReader {
  const from = Number(facts.dictionary_page_offset || facts.data_page_offset);
  const length = Number(facts.total_compressed_size);
  if (!(from >= 4 && length >= 0 && from + length <= bytes.length - 8)) throw brokenParquet();
  return { view: new DataView(bytes.buffer, bytes.byteOffset + from, length), offset: 0 };
}

/** Number of values of a page of data. */
const valuesOf = ({ data_page_header: first, data_page_header_v2: second }: PageHeader): number =>
  first?.num_values ?? second?.num_values ?? Number.NaN;

/** Compares the sizes that all pages of a file declare with its limits. Files may claim more than they hold. */
export class PageBudget {
  readonly #bytes: Uint8Array;
  #left: number;

  constructor(bytes: Uint8Array, limitBytes: number) {
    this.#bytes = bytes;
    this.#left = limitBytes;
  }

  /** @throws {UnreadableFileError} */
  check(name: string, facts: ColumnMetaData, rowCount: number): void {
    const reader = chunkOf(this.#bytes, facts);
    let rows = 0;
    while (rows < rowCount) {
      const header = headerAt(reader);
      const { type, compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
      reader.offset += packed;
      if (!(packed >= 0 && unpacked >= 0 && reader.offset <= reader.view.byteLength)) throw brokenParquet();
      this.#left -= unpacked;
      if (this.#left < 0) {
        const most = limits.unpackedBytes / 1_048_576;
        const message = `The Parquet file has more than ${most} MiB when it is unpacked. Split it, or leave out columns.`;
        throw new UnreadableFileError("too_large_unpacked", message);
      }
      if (type === "DICTIONARY_PAGE") {
        if (!((header.dictionary_page_header?.num_values ?? 0) <= unpacked)) throw brokenParquet();
        continue;
      }
      const values = valuesOf(header);
      const { encoding = "" } = header.data_page_header ?? header.data_page_header_v2 ?? {};
      if (!ENCODINGS.includes(encoding)) {
        const message = `Column "${name}" has the encoding ${encoding}. Write the file with plain or dictionary encoding.`;
        throw new UnreadableFileError("unsupported_compression", message, undefined, { column: name });
      }
      if (values > PAGE_VALUES) {
        const message = `Column "${name}" has a page of ${values} values. Write smaller pages.`;
        throw new UnreadableFileError("parquet_too_large", message, undefined, { column: name });
      }
      if (!(values >= 0 && rows + values <= rowCount)) throw brokenParquet();
      rows += values;
    }
  }
}

/** @throws {UnreadableFileError} also if a damaged header states a size as another type than a number */
function headerAt(reader: DataReader): PageHeader {
  let header: PageHeader;
  try {
    header = parquetHeader(reader);
  } catch (error) {
    throw brokenParquet(error);
  }
  const { compressed_page_size, uncompressed_page_size, dictionary_page_header } = header;
  const count = dictionary_page_header?.num_values ?? 0;
  const sizes: unknown[] = [compressed_page_size, uncompressed_page_size, count, valuesOf(header)];
  if (sizes.some((size) => typeof size !== "number")) throw brokenParquet();
  return header;
}

/** Reads a column of a row group page by page. `PageBudget` has checked the sizes. */
export class ColumnPages {
  readonly #column: ParquetColumn;
  readonly #facts: ColumnMetaData;
  readonly #reader: DataReader;
  /** Different values as cells, if the column has a dictionary. */
  #dictionary: (number | string)[] | undefined;
  #values: DecodedArray = [];
  #areCells = false;
  #at = 0;

  constructor(bytes: Uint8Array, column: ParquetColumn, facts: ColumnMetaData) {
    this.#column = column;
    this.#facts = facts;
    this.#reader = chunkOf(bytes, facts);
  }

  /** Number of values that are unpacked and not taken. Reads the next page if there are none. */
  get ready(): number {
    while (this.#at === this.#values.length) this.#next();
    return this.#values.length - this.#at;
  }

  /** Returns the next cells. At most `ready`. */
  take(count: number): ArrayLike<Cell> {
    const from = this.#at;
    this.#at += count;
    const values = this.#values;
    const { toCell } = this.#column;
    if (this.#areCells || toCell === asStored) return values.slice(from, this.#at) as ArrayLike<Cell>;
    const cells: Cell[] = [];
    for (let at = from; at < this.#at; at++) {
      const value = values[at];
      cells.push(value === undefined || value === null ? undefined : toCell(value));
    }
    return cells;
  }

  #next(): void {
    const reader = this.#reader;
    const header = headerAt(reader);
    const { view } = reader;
    const packed = new Uint8Array(view.buffer, view.byteOffset + reader.offset, header.compressed_page_size);
    reader.offset += packed.length;
    const { element, toCell } = this.#column;
    const chunk = { element, facts: this.#facts };
    if (header.type === "DICTIONARY_PAGE") {
      this.#dictionary = Array.from(readDictionary(packed, header, chunk), toCell);
      return;
    }
    const { encoding } = header.data_page_header ?? header.data_page_header_v2 ?? {};
    this.#areCells = encoding?.endsWith("_DICTIONARY") === true;
    this.#values = readPageValues(packed, header, chunk, this.#dictionary);
    this.#at = 0;
  }
}
