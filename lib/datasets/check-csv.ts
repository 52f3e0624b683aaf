import { readCsvFile } from "#lib/domain/datasets/read-dataset-file";
import type { CsvOptions, CsvResult } from "#lib/engine/csv/options";
import type { OpenFile } from "#lib/threads/task";

/** Reads a file for its faults alone. */
export async function checkCsv(
  options: CsvOptions,
  open: OpenFile,
): Promise<Pick<CsvResult, "header" | "faults" | "faultCount">> {
  const { header, faults, faultCount } = await readCsvFile(open, options);
  return { header, faults, faultCount };
}
