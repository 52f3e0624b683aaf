import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { presentDifference } from "./present-difference.ts";
import { splitScenarios } from "./split-scenarios.ts";

/** Worker pool tasks that split a difference. They run models, so plain reads must not import this module. */
export const tasks = { present: presentDifference, split: splitScenarios } satisfies Tasks;

export const runDifferenceTask = taskRunner(tasks, {
  module: "./difference-tasks.ts",
  beside: import.meta.url,
});
