import type { ComparedScenarios } from "#lib/engine/series/compare-scenarios";
import type { SeriesComparison } from "./compare-series.ts";
import { runSeriesTask } from "./series-tasks.ts";

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. Scanning four million rows
 * takes as long as starting a thread.
 */
const COST_PER_ROW = 1 / 8;

/**
 * Compares series: short series in this thread, long series in a worker thread that shares their memory.
 *
 * @param signal ends the thread if the caller has gone
 * @throws the errors of `compareSeries`, and the reason of `signal`
 */
export function runComparison(request: SeriesComparison, signal?: AbortSignal): Promise<ComparedScenarios> {
  const rows = request.scenarios.reduce((sum, { prediction }) => sum + prediction.length, 0);
  return runSeriesTask("compare", request, { bytes: rows * COST_PER_ROW, signal });
}
