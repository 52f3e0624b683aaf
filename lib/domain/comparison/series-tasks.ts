import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { compareSeries } from "./compare-series.ts";
import { cutCompared } from "./cut-compared.ts";
import { differingInputs } from "./differing-inputs.ts";

/** Worker pool tasks on stored series of several scenarios. The series can be long. They run no model. */
export const tasks = {
  compare: compareSeries,
  cut: cutCompared,
  differs: differingInputs,
} satisfies Tasks;

export const runSeriesTask = taskRunner(tasks, { module: "./series-tasks.ts", beside: import.meta.url });
