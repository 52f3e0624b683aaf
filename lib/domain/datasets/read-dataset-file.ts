import type { CsvOptions, CsvResult } from "#lib/engine/csv/options";
import type { OpenFile } from "#lib/platform/threads/messages";
import { readCsvFile } from "./read-csv-file.ts";

/**
 * Reads a dataset's file. Issues in the cells of excluded columns do not matter: if there are any, the file is read again
 * without those columns.
 */
export async function readDatasetFile(
  open: OpenFile,
  options: CsvOptions,
  exclude: readonly string[],
): Promise<CsvResult> {
  const file = await readCsvFile(open, options);
  const excluded = new Set(exclude);
  const hasExcludedIssues = file.issues.some(
    ({ row, column }) => row !== null && column !== null && excluded.has(column),
  );
  return hasExcludedIssues ? readCsvFile(open, { ...options, exclude }) : file;
}
