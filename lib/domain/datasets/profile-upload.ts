import type { Reading } from "#lib/contract/reading";
import type { ColumnType } from "#lib/contract/table";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { TextChunkDecoder } from "#lib/engine/csv/decode";
import type { CsvWarning, Issue } from "#lib/engine/csv/issues";
import { HEAD_BYTES } from "#lib/engine/csv/magic";
import { bytesOf } from "#lib/engine/csv/options";
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
  /** Encoding in which it was read. Absent in older profiles. */
  encoding?: string;
  /** Sheet that was read, of a workbook. Absent in older profiles. */
  sheet?: string;
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

/** A stored file to profile. */
export type Sample = {
  bytes: number;
  lineCount: number;
  headerRow?: number;
  /** Encoding and sheet of the dataset whose further file this is. */
  stored?: Pick<Reading, "encoding" | "sheet">;
};

/**
 * Reads the first mebibyte of a stored CSV, and at least one row. The last row may be cut off, but issues of rows are left
 * out.
 */
export async function profileSample(sample: Sample, open: OpenFile): Promise<UploadProfile> {
  const { bytes, lineCount, headerRow, stored } = sample;
  const reader = new CsvReader({ headerRow, storedEncoding: stored?.encoding });
  const ofSheet = stored && { sheet: stored.sheet, columns: [] };
  let sampled = 0;
  let declared: number | null = null;
  const onRowCount = (rows: number) => {
    declared = rows;
  };
  for await (const chunk of tableChunks(await open(), { ...ofSheet }, onRowCount)) {
    reader.push(chunk);
    sampled += bytesOf(chunk)?.length ?? 0;
    if (reader.failed || (sampled >= SAMPLE_BYTES && reader.rowCount > 0)) break;
  }
  const { header, columns, issues, warnings, rowCount, encoding, origin } = reader.finish();
  const wide = warnings.filter(({ code }) => code === "wide_table");
  const below = issues.find(({ code }) => code === "header_below")?.choices?.[0]?.options.headerRow;
  if (typeof below === "number") return profileSample({ ...sample, headerRow: below }, open);
  return {
    ...(headerRow !== undefined && { headerRow }),
    ...(wide.length > 0 && { warnings: wide }),
    encoding,
    ...(origin.sheet !== null && { sheet: origin.sheet.name }),
    header,
    columns: columns.map(({ name, type }) => ({ name, type })),
    // Workbooks are read as a whole.
    lineCount: declared ?? (sampled === bytes || sampled === 0 ? rowCount : lineCount),
    issues: issues.filter(({ row }) => row === null),
  };
}
