import { workerData } from "node:worker_threads";
import type { HelperData } from "#lib/engine/learners/helper-thread";
import { DONE, ORDERED, setCell, waitWhile } from "#lib/ml/train/helper-cells";

// A training helper that is gone in the midst of its first step, without another word.
const { cells } = workerData as HelperData;
setCell(cells, DONE, 0);
waitWhile(cells, ORDERED, 0);
process.exit(1);
