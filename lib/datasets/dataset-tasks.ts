import type { CsvOptions } from "#lib/csv/options";
import type { OpenFile, Tasks } from "#lib/threads/task";
import { appendToTable } from "./append-to-table.ts";
import { checkCsv } from "./check-csv.ts";
import { makeTable } from "./make-table.ts";
import { readCsvFile } from "./read-dataset-file.ts";

/** What is done with files that may be large. */
export const datasetTasks = {
  make: makeTable,
  append: appendToTable,
  check: checkCsv,
  read: (options: CsvOptions, open: OpenFile) => readCsvFile(open, options),
} satisfies Tasks;
