import { Worker } from "node:worker_threads";
import { taskRunner } from "#lib/threads/run-task";
import { datasetTasks } from "./dataset-tasks.ts";

/** Does one of `datasetTasks`: here where there is little to do, else in a thread. */
export const runDatasetTask = taskRunner(
  datasetTasks,
  (options) => new Worker(new URL("./dataset-thread.ts", import.meta.url), options),
);
