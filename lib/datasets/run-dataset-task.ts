import { taskRunner } from "#lib/threads/run-task";
import { datasetTasks } from "./dataset-tasks.ts";

/** Does one of `datasetTasks`: here where there is little to do, else in a thread. */
export const runDatasetTask = taskRunner(datasetTasks, {
  entry: "./dataset-thread.ts",
  beside: import.meta.url,
});
