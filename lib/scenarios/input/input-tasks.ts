import { judgeScenario } from "#lib/actuals/judge-scenario";
import type { Tasks } from "#lib/threads/task";
import { compareSeries } from "../comparison/compare-series.ts";
import { cutCompared } from "../comparison/cut-compared.ts";
import { differingInputs } from "../comparison/differing-inputs.ts";
import { presentDifference } from "../comparison/present-difference.ts";
import { splitScenarios } from "../comparison/split-scenarios.ts";
import { adjustRows } from "./adjust-rows.ts";
import { findOutside } from "./find-outside.ts";
import { readInput } from "./read-input.ts";
import { readInputPage } from "./read-input-page.ts";

/** What is done with inputs that may be large. */
export const inputTasks = {
  read: readInput,
  adjust: adjustRows,
  split: splitScenarios,
  present: presentDifference,
  compare: compareSeries,
  cut: cutCompared,
  judge: judgeScenario,
  differs: differingInputs,
  outside: findOutside,
  page: readInputPage,
} satisfies Tasks;
