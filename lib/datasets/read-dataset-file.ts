import { CsvReader } from "#lib/csv/csv-stream";
import type { CsvOptions, CsvResult } from "#lib/csv/options";
import type { OpenFile } from "./file-source.ts";

/** Reads a CSV as it streams in, stopping where the rest cannot be read. */
export async function readCsvFile(open: OpenFile, options: CsvOptions): Promise<CsvResult> {
  const reader = new CsvReader(options);
  for await (const chunk of await open()) {
    reader.push(chunk);
    if (reader.failed) break;
  }
  return reader.finish();
}

/**
 * Reads a file of a dataset. What is wrong in a column that is left out does not matter: where that is so, the file is
 * read again without those columns.
 */
export async function readDatasetFile(
  open: OpenFile,
  options: CsvOptions,
  exclude: readonly string[],
): Promise<CsvResult> {
  const file = await readCsvFile(open, options);
  const excluded = new Set(exclude);
  const matters = file.faults.some(
    ({ row, column }) => row !== null && column !== null && excluded.has(column),
  );
  return matters ? readCsvFile(open, { ...options, exclude }) : file;
}
