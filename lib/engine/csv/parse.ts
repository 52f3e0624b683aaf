import { CsvReader } from "./csv-reader.ts";
import type { CsvOptions, CsvResult } from "./options.ts";

const SLICE_BYTES = 1_048_576;

/**
 * Reads a whole CSV file in memory, with the reader that the service feeds in blocks. Only tests and benchmarks use it.
 * Never throws for the content of a file.
 *
 * @throws RangeError for an unknown time zone
 */
export function parseCsv(input: Uint8Array | string, options: CsvOptions = {}): CsvResult {
  const reader = new CsvReader(options);
  if (typeof input === "string") reader.push(input);
  else {
    for (let from = 0; from < input.length && !reader.failed; from += SLICE_BYTES) {
      reader.push(input.subarray(from, from + SLICE_BYTES));
    }
  }
  return reader.finish();
}
