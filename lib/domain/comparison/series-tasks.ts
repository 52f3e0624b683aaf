import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import {
  type ComparedScenarios,
  type CompareOptions,
  compareScenarios,
  type ScenarioSeries,
} from "#lib/engine/series/compare-scenarios";
import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { toDomainError } from "./compared-rows.ts";
import { cutCompared } from "./cut-compared.ts";
import { differingInputs } from "./differing-inputs.ts";

/** Worker pool tasks on stored series of several scenarios, which can be long. The tasks run no model. */
export const tasks = {
  compare: compareSeries,
  cut: cutCompared,
  differs: differingInputs,
} satisfies Tasks;

export const runSeriesTask = taskRunner(tasks, { module: "./series-tasks.ts", beside: import.meta.url });

type SeriesComparison = {
  scenarios: readonly ScenarioSeries[];
  baselineId: string;
  options: CompareOptions;
  /** Known values of the target; null if none is known. */
  actuals: KnownTarget | null;
};

/**
 * Costs in the bytes by which `taskRunner` chooses between this thread and a new one. Scanning four million rows, or comparing
 * 250,000 points, takes as long as starting a thread.
 */
const COST_PER_ROW = 1 / 8;
const COST_PER_POINT = 2;

/**
 * Compares series: short series in this thread, long series in a worker thread that shares their memory.
 *
 * @param signal ends the thread if the caller has gone
 * @throws {DomainError} validation_failed if the scenarios have too many points to align or to send
 * @throws the reason of `signal`
 */
export function runComparison(request: SeriesComparison, signal?: AbortSignal): Promise<ComparedScenarios> {
  const { scenarios, options } = request;
  const rows = scenarios.reduce((sum, { prediction }) => sum + prediction.length, 0);
  const most = options.points?.length ?? options.limit ?? options.maxPoints ?? Number.POSITIVE_INFINITY;
  const points = scenarios.reduce((sum, { prediction }) => sum + Math.min(prediction.length, most), 0);
  return runSeriesTask("compare", request, { bytes: rows * COST_PER_ROW + points * COST_PER_POINT, signal });
}

async function compareSeries({
  scenarios,
  baselineId,
  options,
  actuals,
}: SeriesComparison): Promise<ComparedScenarios> {
  try {
    const among = actuals && ((times: Float64Array) => actualsAmong(actuals, times));
    return compareScenarios(scenarios, baselineId, options, among);
  } catch (error) {
    throw toDomainError(error, scenarios.length);
  }
}
