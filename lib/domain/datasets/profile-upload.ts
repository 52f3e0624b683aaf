import type { ColumnType } from "#lib/contract/table";
import { CsvReader } from "#lib/engine/csv/csv-stream";
import type { Fault } from "#lib/engine/csv/issues";
import { LineCounter } from "./count-lines.ts";

/** What is known of a large CSV once it has been streamed in: enough to refuse it without reading it again. */
export type UploadProfile = {
  header: string[];
  /** Types inferred from the first rows. */
  columns: { name: string; type: ColumnType }[];
  /** The number of rows; of a file longer than the sample the lines that are neither blank nor in quotes. */
  lineCount: number;
  /** Faults of the file and its header; those of single rows are found when it is read. */
  faults: Fault[];
};

const SAMPLE_BYTES = 1 << 20;

/** Passes chunks on and looks at them: the first mebibyte is read as CSV, lines are counted to the end. */
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
    const { header, columns, faults, rowCount } = this.#reader.finish();
    const whole = this.#sampled === this.#bytes;
    return {
      header,
      columns: columns.map(({ name, type }) => ({ name, type })),
      lineCount: whole ? rowCount : Math.max(0, this.#lines.count - 1),
      faults: faults.filter(({ row }) => row === null),
    };
  }

  #look(chunk: Uint8Array): void {
    // Past the header and a row. A cut in the midst of a row only spoils that row, and faults of rows are left out.
    const known = this.#reader.failed || (this.#sampled >= SAMPLE_BYTES && this.#reader.rowCount > 0);
    if (!known) {
      this.#reader.push(chunk);
      this.#sampled += chunk.length;
    }
    this.#bytes += chunk.length;
    this.#lines.push(chunk, this.#reader.encoding);
  }
}
