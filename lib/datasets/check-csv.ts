import type { CsvOptions, CsvResult } from "#lib/csv/options";
import type { OpenFile } from "#lib/threads/task";
import { readCsvFile } from "./read-dataset-file.ts";

/** Reads a file for its faults alone. */
export async function checkCsv(
  options: CsvOptions,
  open: OpenFile,
): Promise<Pick<CsvResult, "header" | "faults" | "faultCount">> {
  const { header, faults, faultCount } = await readCsvFile(open, options);
  return { header, faults, faultCount };
}
