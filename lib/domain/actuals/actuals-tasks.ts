import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { judgeScenario } from "./judge-scenario.ts";
import { outlookPeriodsOf } from "./outlook-periods.ts";
import { scoreServed } from "./score-served.ts";
import { sumSpans } from "./sum-spans.ts";

/** Worker pool tasks that compare predictions with actuals. The series can be long. */
export const tasks = {
  judge: judgeScenario,
  outlook: outlookPeriodsOf,
  track: scoreServed,
  sum: sumSpans,
} satisfies Tasks;

export const runActualsTask = taskRunner(tasks, { module: "./actuals-tasks.ts", beside: import.meta.url });
