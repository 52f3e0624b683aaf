import { Worker, workerData } from "node:worker_threads";
import type { HelperData } from "#lib/engine/learners/helper-thread";
import { DONE, FAILED, setCell } from "./helper-cells.ts";

/** The helpers that are to be started, and their source file. */
export type ForemanData = { entry: string; helpers: HelperData[] };

// The thread that trains waits without an event loop, so it would never hear that a helper has died, of too little
// memory for instance. This one hears it.
const { entry, helpers } = workerData as ForemanData;
for (const helper of helpers) {
  const worker = new Worker(new URL(entry), { workerData: helper });
  worker.on("error", () => {}); // It ends of it.
  worker.once("exit", () => setCell(helper.cells, DONE, FAILED));
}
