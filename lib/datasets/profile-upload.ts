import type { ColumnType } from "#lib/contract/table";
import { CsvReader } from "#lib/csv/csv-stream";
import type { Fault } from "#lib/csv/faults";

/** What is known of a large CSV once it has been streamed in: enough to refuse it without reading it again. */
export type UploadProfile = {
  header: string[];
  /** Types inferred from the first rows. */
  columns: { name: string; type: ColumnType }[];
  /** Lines that are not in quotes, without the header: the number of rows where none is blank. */
  lineCount: number;
  /** Faults of the file and its header; those of single rows are found when it is read. */
  faults: Fault[];
};

const SAMPLE_BYTES = 1 << 20;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;

/** Passes chunks on and looks at them: the first mebibyte is read as CSV, lines are counted to the end. */
export class UploadProfiler {
  readonly #reader = new CsvReader();
  #sampled = 0;
  #lines = 0;
  #quoted = false;
  #before = NEWLINE;

  async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#look(chunk);
      yield chunk;
    }
  }

  finish(): UploadProfile {
    const { header, columns, faults } = this.#reader.finish();
    const lines = this.#lines + (this.#before === NEWLINE || this.#before === CARRIAGE_RETURN ? 0 : 1);
    return {
      header,
      columns: columns.map(({ name, type }) => ({ name, type })),
      lineCount: Math.max(0, lines - 1),
      faults: faults.filter(({ row }) => row === null),
    };
  }

  #look(chunk: Uint8Array): void {
    if (this.#sampled < SAMPLE_BYTES) {
      // A cut in the middle of a row only spoils that row, and faults of rows are left out.
      const sample = chunk.subarray(0, SAMPLE_BYTES - this.#sampled);
      this.#reader.push(sample);
      this.#sampled += sample.length;
    }
    let before = this.#before;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (!this.#quoted) {
        if (byte === NEWLINE) this.#lines += before === CARRIAGE_RETURN ? 0 : 1;
        else if (byte === CARRIAGE_RETURN) this.#lines++;
      }
      before = byte;
    }
    this.#before = before;
  }
}
