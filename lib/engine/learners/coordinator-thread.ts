import { Worker, workerData } from "node:worker_threads";
import { DONE, FAILED, setCell } from "./helper-protocol.ts";
import type { HelperData } from "./helper-thread.ts";

/** The helpers to start, and their source file. */
export type CoordinatorData = { entry: string; helpers: HelperData[] };

// The training thread blocks without an event loop and cannot receive the exit event of a helper, for instance one
// that ran out of memory. This thread receives the event.
const { entry, helpers } = workerData as CoordinatorData;
for (const helper of helpers) {
  const worker = new Worker(new URL(entry), { workerData: helper });
  worker.on("error", () => {}); // The error ends the worker; "exit" follows.
  worker.once("exit", () => setCell(helper.cells, DONE, FAILED));
}
