import { limits } from "#lib/contract/limits";
import { concat } from "#lib/engine/csv/decode";
import type { IssueCode } from "#lib/engine/csv/issues";
import { isParquet } from "#lib/engine/csv/magic";
import type { CsvOptions, TableChunk } from "#lib/engine/csv/options";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { isArchive, readWorkbook } from "./read-workbook.ts";

const HEAD_BYTES = 5;

/** A format that is read as a whole. */
type Packed = {
  is: (head: Uint8Array) => boolean;
  mostBytes: number;
  tooLarge: { code: IssueCode; message: (mebibytes: number) => string };
  read: (
    bytes: Uint8Array,
    options: CsvOptions,
    onRowCount: (rowCount: number) => void,
  ) => AsyncGenerator<TableChunk>;
};

const PACKED: Packed[] = [
  {
    is: isArchive,
    mostBytes: limits.workbookBytes,
    tooLarge: {
      code: "workbook_too_large",
      message: (mebibytes) => `A workbook may have ${mebibytes} MiB at most. Save the sheet as CSV.`,
    },
    read: sheetChunks,
  },
  {
    is: isParquet,
    mostBytes: limits.parquetBytes,
    tooLarge: {
      code: "parquet_too_large",
      message: (mebibytes) =>
        `A Parquet file may have ${mebibytes} MiB at most. Split it, or send it as CSV.`,
    },
    read: parquetChunks,
  },
];

/**
 * Passes the bytes of a CSV file on. Of an Excel workbook, yields the rows of a sheet instead; of a Parquet file, the header
 * as CSV and the cells; or the reason why it cannot be read. Such a file is held in memory and takes seconds, so read it
 * in a thread.
 *
 * @param onRowCount receives the number of rows, if the file says it
 */
export async function* tableChunks(
  file: AsyncIterable<Uint8Array>,
  options: CsvOptions,
  onRowCount: (rowCount: number) => void = () => {},
): AsyncGenerator<TableChunk> {
  let head: Uint8Array | null = new Uint8Array(0);
  let packed: Packed | undefined;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (packed !== undefined) pieces.push(chunk.slice());
    else if (head === null) yield chunk;
    else {
      head = head.length === 0 ? chunk : concat(head, chunk);
      if (head.length < HEAD_BYTES) {
        head = head.slice();
        continue;
      }
      packed = PACKED.find(({ is }) => is(head!));
      if (packed === undefined) yield head;
      else pieces.push(head.slice());
      head = null;
    }
    if (packed !== undefined && bytes > packed.mostBytes) {
      const { code, message } = packed.tooLarge;
      yield new UnreadableFileError(code, message(packed.mostBytes / 1_048_576)).failure;
      return;
    }
  }
  if (head !== null && head.length > 0) yield head;
  if (packed === undefined) return;
  try {
    yield* packed.read(await new Blob(pieces as BlobPart[]).bytes(), options, onRowCount);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    yield error.failure;
  }
}

async function* sheetChunks(bytes: Uint8Array, { sheet, columns }: CsvOptions): AsyncGenerator<TableChunk> {
  try {
    yield* readWorkbook(bytes, sheet ?? null);
  } catch (error) {
    const isUnknown = error instanceof UnreadableFileError && error.code === "unknown_sheet";
    if (!isUnknown || columns === undefined) throw error;
    // Names of sheets differ by language, and the only sheet leaves no choice.
    if (error.choices?.length === 1) return yield* readWorkbook(bytes, null);
    // Requests with further files have no option for the sheet.
    const advice =
      "Files of this dataset are read from the sheet of its first file: give the sheet this name.";
    throw new UnreadableFileError("unknown_sheet", `${error.message} ${advice}`);
  }
}

/** Loads the reader when it is needed: pages preview files, too. */
async function* parquetChunks(
  bytes: Uint8Array,
  _: CsvOptions,
  onRowCount: (rowCount: number) => void,
): AsyncGenerator<TableChunk> {
  const { readParquet } = await import("#lib/engine/parquet/read-parquet");
  yield* readParquet(bytes, onRowCount);
}
