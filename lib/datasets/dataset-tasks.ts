import type { Tasks } from "#lib/threads/task";
import { appendToTable } from "./append-to-table.ts";
import { checkCsv } from "./check-csv.ts";
import { makeTable } from "./make-table.ts";

/** What is done with files that may be large. */
export const datasetTasks = { make: makeTable, append: appendToTable, check: checkCsv } satisfies Tasks;
