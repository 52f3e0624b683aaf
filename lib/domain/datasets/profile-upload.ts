import type { ColumnType } from "#lib/contract/table";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { TextChunkDecoder } from "#lib/engine/csv/decode";
import type { CsvWarning, Issue } from "#lib/engine/csv/issues";
import { HEAD_BYTES } from "#lib/engine/csv/magic";
import { bytesOf, type CsvOptions, type CsvResult } from "#lib/engine/csv/options";
import { tableChunks } from "#lib/engine/workbooks/table-chunks";
import type { OpenFile } from "#lib/platform/threads/messages";
import { LineCounter } from "./count-lines.ts";

/** Profile of an uploaded table. It lets requests reject an invalid file without reading it again. */
export type UploadProfile = {
  header: string[];
  /** Types inferred from the first rows. */
  columns: { name: string; type: ColumnType }[];
  /**
   * Number of rows. If the file is longer than the profiled first mebibyte, the number of non-blank lines after the header. Line breaks
   * within quoted cells do not count.
   */
  lineCount: number;
  /** Issues of the file and its header. Issues of rows are found when the file is read. */
  issues: Issue[];
  /** Line of the header, if the first line is probably not the header. */
  headerRow?: number;
  /** Whether the columns are times. */
  warnings?: CsvWarning[];
};

/** The first part of a file that is read as CSV. */
export const SAMPLE_BYTES = 1 << 20;

/** Passes the chunks of a CSV on and counts its lines, in the thread that receives them. */
export class LineWatch {
  readonly #lines = new LineCounter();
  readonly #decoder = new TextChunkDecoder();
  #bytes = 0;

  /** Number of non-blank lines after the header. */
  get lineCount(): number {
    return Math.max(0, this.#lines.count - 1);
  }

  async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      // The first bytes determine the encoding.
      if (this.#bytes < HEAD_BYTES) this.#decoder.push(chunk.subarray(0, HEAD_BYTES));
      this.#bytes += chunk.length;
      this.#lines.push(chunk, this.#decoder.encoding);
      yield chunk;
    }
  }
}

/** Size of a stored file. */
type UploadSize = { bytes: number; lineCount: number };

/** Profiles a stored table by its first mebibyte. */
export async function profileSample(
  size: UploadSize,
  open: OpenFile,
  headerRow?: number,
): Promise<UploadProfile> {
  const { file, lineCount } = await readSample(size, open, { headerRow });
  const { header, columns, issues, warnings } = file;
  const wide = warnings.filter(({ code }) => code === "wide_table");
  const below = issues.find(({ code }) => code === "header_below")?.choices?.[0]?.options.headerRow;
  if (typeof below === "number") return profileSample(size, open, below);
  return {
    ...(headerRow !== undefined && { headerRow }),
    ...(wide.length > 0 && { warnings: wide }),
    header,
    columns: columns.map(({ name, type }) => ({ name, type })),
    lineCount,
    issues: issues.filter(({ row }) => row === null),
  };
}

/**
 * Reads the first mebibyte of a stored table, and at least one row. Workbooks are read as a whole.
 *
 * @returns the rows read, and the number of rows of the whole file (`UploadProfile.lineCount`)
 */
export async function readSample(
  { bytes, lineCount }: UploadSize,
  open: OpenFile,
  options: CsvOptions,
): Promise<{ file: CsvResult; lineCount: number }> {
  const reader = new CsvReader(options);
  let sampled = 0;
  let declared: number | null = null;
  const onRowCount = (rows: number) => {
    declared = rows;
  };
  for await (const chunk of tableChunks(await open(), options, onRowCount)) {
    reader.push(chunk);
    sampled += bytesOf(chunk)?.length ?? 0;
    if (reader.failed || (sampled >= SAMPLE_BYTES && reader.rowCount > 0)) break;
  }
  const isCutOff = declared === null && sampled > 0 && sampled < bytes;
  const file = reader.finish({ isCutOff });
  // Blank lines above the header were not counted, so the number may be too small by them.
  const lines = declared ?? (isCutOff ? lineCount - ((options.headerRow ?? 1) - 1) : null);
  // A line of a wide table is a row for each of its times.
  const rowsPerLine = file.origin.wide?.times.length ?? 1;
  return { file, lineCount: lines === null ? file.rowCount : lines * rowsPerLine };
}
