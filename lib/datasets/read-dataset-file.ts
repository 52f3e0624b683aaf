import { CsvReader } from "#lib/csv/csv-stream";
import type { CsvOptions, CsvResult } from "#lib/csv/options";
import type { SourceFile } from "./file-source.ts";

/** Reads a CSV as it streams in, stopping where the rest cannot be read. */
export async function readCsvFile(source: SourceFile, options: CsvOptions): Promise<CsvResult> {
  const reader = new CsvReader(options);
  for await (const chunk of await source.open()) {
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
  source: SourceFile,
  options: CsvOptions,
  exclude: readonly string[],
): Promise<CsvResult> {
  const file = await readCsvFile(source, options);
  const excluded = new Set(exclude);
  const matters = file.faults.some(
    ({ row, column }) => row !== null && column !== null && excluded.has(column),
  );
  return matters ? readCsvFile(source, { ...options, exclude }) : file;
}
