import type { SeriesComparison } from "#lib/domain/comparison/compare-series";
import type { ComparedScenarios } from "#lib/engine/series/compare-scenarios";
import { runInputTask } from "../input/run-input-task.ts";

/** Series of some millions of rows are gone through in the time that a thread takes to start. */
const BYTES_PER_ROW = 1 / 8;

/**
 * Series side by side: here where they are short, else in a thread, which shares the memory of those that were read for it.
 *
 * @param signal ends the thread: nobody waits for it any more
 * @throws as `compareSeries`; the reason of `signal`
 */
export function runComparison(request: SeriesComparison, signal?: AbortSignal): Promise<ComparedScenarios> {
  const rows = request.scenarios.reduce((sum, { prediction }) => sum + prediction.length, 0);
  return runInputTask("compare", request, { bytes: rows * BYTES_PER_ROW, signal });
}
