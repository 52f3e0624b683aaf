import type { CsvOptions, CsvResult } from "#lib/engine/csv/options";
import type { OpenFile } from "#lib/platform/threads/messages";
import { readCsvFile } from "./read-csv-file.ts";

/**
 * Reads a dataset's file. Issues in the cells of excluded columns do not matter: if there are any, the file is read again
 * without these columns. If the list of issues is cut off, it is read again without all excluded columns.
 */
export async function readDatasetFile(
  open: OpenFile,
  options: CsvOptions,
  exclude: readonly string[],
  valuesMax: number,
): Promise<CsvResult> {
  const file = await readCsvFile(open, options, valuesMax);
  const unreadable = new Set(file.issues.map(({ row, column }) => (row === null ? null : column)));
  const skipped =
    file.issueCount > file.issues.length ? exclude : exclude.filter((name) => unreadable.has(name));
  return skipped.length > 0 ? readCsvFile(open, { ...options, exclude: skipped }, valuesMax) : file;
}
