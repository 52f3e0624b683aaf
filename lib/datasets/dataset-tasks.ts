import { appendToTable } from "#lib/domain/datasets/append-to-table";
import { readCsvFile } from "#lib/domain/datasets/read-dataset-file";
import type { CsvOptions } from "#lib/engine/csv/options";
import type { OpenFile, Tasks } from "#lib/threads/task";
import { checkCsv } from "./check-csv.ts";
import { makeTable } from "./make-table.ts";

/** What is done with files that may be large. */
export const datasetTasks = {
  make: makeTable,
  append: appendToTable,
  check: checkCsv,
  read: (options: CsvOptions, open: OpenFile) => readCsvFile(open, options),
} satisfies Tasks;
