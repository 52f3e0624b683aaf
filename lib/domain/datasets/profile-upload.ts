import type { ColumnType } from "#lib/contract/table";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import type { Issue } from "#lib/engine/csv/issues";
import { LineCounter } from "./count-lines.ts";

/** Profile of an uploaded CSV. It lets requests reject an invalid file without reading it again. */
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
};

const SAMPLE_BYTES = 1 << 20;

/** Passes chunks on and profiles them: reads the first mebibyte as CSV, and counts lines to the end. */
export class UploadProfiler {
  readonly #reader = new CsvReader();
  readonly #lines = new LineCounter();
  #sampled = 0;
  #bytes = 0;

  async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#look(chunk);
      yield chunk;
    }
  }

  finish(): UploadProfile {
    const { header, columns, issues, rowCount } = this.#reader.finish();
    const whole = this.#sampled === this.#bytes;
    return {
      header,
      columns: columns.map(({ name, type }) => ({ name, type })),
      lineCount: whole ? rowCount : Math.max(0, this.#lines.count - 1),
      issues: issues.filter(({ row }) => row === null),
    };
  }

  #look(chunk: Uint8Array): void {
    // The sample ends after `SAMPLE_BYTES` and at least one row. The last row may be cut off, but issues of rows are
    // left out.
    const isSampleComplete =
      this.#reader.failed || (this.#sampled >= SAMPLE_BYTES && this.#reader.rowCount > 0);
    if (!isSampleComplete) {
      this.#reader.push(chunk);
      this.#sampled += chunk.length;
    }
    this.#bytes += chunk.length;
    this.#lines.push(chunk, this.#reader.encoding);
  }
}
