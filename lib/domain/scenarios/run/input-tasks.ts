import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { adjustRows } from "./adjust-rows.ts";
import { checkAndStoreInput } from "./check-and-store-input.ts";
import { findOutside } from "./find-outside.ts";
import { readInputPage } from "./read-input-page.ts";

/** Worker pool tasks on the inputs of scenarios. The inputs can be large. */
export const tasks = {
  read: checkAndStoreInput,
  adjust: adjustRows,
  outside: findOutside,
  page: readInputPage,
} satisfies Tasks;

export const runInputTask = taskRunner(tasks, { module: "./input-tasks.ts", beside: import.meta.url });
