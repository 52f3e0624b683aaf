import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { readPanel } from "./read-panel.ts";

/** Worker pool tasks on panels. They run no model, so charts that need them load no model code. */
export const tasks = { read: readPanel } satisfies Tasks;

export const runPanelTask = taskRunner(tasks, { module: "./panel-tasks.ts", beside: import.meta.url });
