import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { tryInputs } from "./try-inputs.ts";
import { trySettings } from "./try-settings.ts";

/** Worker pool tasks that predict a scenario with changed inputs. They run models. */
export const tasks = { tryInputs, trySettings } satisfies Tasks;

export const runWhatIfTask = taskRunner(tasks, { module: "./what-if-tasks.ts", beside: import.meta.url });
