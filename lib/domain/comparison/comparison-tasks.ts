import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { compareSeries } from "./compare-series.ts";
import { cutCompared } from "./cut-compared.ts";
import { differingInputs } from "./differing-inputs.ts";
import { presentDifference } from "./present-difference.ts";
import { splitScenarios } from "./split-scenarios.ts";

/** Worker pool tasks on the series of several scenarios. The series can be long. */
export const tasks = {
  compare: compareSeries,
  cut: cutCompared,
  differs: differingInputs,
  present: presentDifference,
  split: splitScenarios,
} satisfies Tasks;

export const runComparisonTask = taskRunner(tasks, {
  module: "./comparison-tasks.ts",
  beside: import.meta.url,
});
