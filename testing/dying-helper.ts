import { workerData } from "node:worker_threads";
import { DONE, ORDERED, setCell, waitWhile } from "#lib/engine/learners/helper-protocol";
import type { HelperData } from "#lib/engine/learners/helper-thread";

// Training helper that exits during its first step without a report.
const { cells } = workerData as HelperData;
setCell(cells, DONE, 0);
waitWhile(cells, ORDERED, 0);
process.exit(1);
