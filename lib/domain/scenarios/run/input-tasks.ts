import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { adjustRows } from "./adjust-rows.ts";
import { findOutside } from "./find-outside.ts";
import { readInput } from "./read-input.ts";
import { readInputPage } from "./read-input-page.ts";

/** Worker pool tasks on the inputs of scenarios. The inputs can be large. */
export const tasks = {
  read: readInput,
  adjust: adjustRows,
  outside: findOutside,
  page: readInputPage,
} satisfies Tasks;

export const runInputTask = taskRunner(tasks, { module: "./input-tasks.ts", beside: import.meta.url });
