import { taskRunner } from "#lib/threads/run-task";
import { inputTasks } from "./input-tasks.ts";

/** Does one of `inputTasks`: here where there is little to do, else in a thread. */
export const runInputTask = taskRunner(inputTasks, { entry: "./input-thread.ts", beside: import.meta.url });
