import { judgeScenario } from "#lib/domain/actuals/judge-scenario";
import { compareSeries } from "#lib/domain/comparison/compare-series";
import { cutCompared } from "#lib/domain/comparison/cut-compared";
import { differingInputs } from "#lib/domain/comparison/differing-inputs";
import { presentDifference } from "#lib/domain/comparison/present-difference";
import { splitScenarios } from "#lib/domain/comparison/split-scenarios";
import { adjustRows } from "#lib/domain/scenarios/run/adjust-rows";
import { findOutside } from "#lib/domain/scenarios/run/find-outside";
import { readInput } from "#lib/domain/scenarios/run/read-input";
import { readInputPage } from "#lib/domain/scenarios/run/read-input-page";
import type { Tasks } from "#lib/threads/task";

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
