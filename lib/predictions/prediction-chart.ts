import type { PredictionChart } from "#lib/contract/scenario-series";
import { compareScenarios } from "#lib/series/compare-scenarios";
import type { StoredSeries } from "./read-predictions.ts";

/**
 * Points to draw, at most `maxPoints`, with the extremes, in the order of time. `from` and `to`, both included, are
 * epoch milliseconds, or row numbers from 1 for a series without times.
 */
export function predictionChart(
  stored: StoredSeries,
  options: { maxPoints?: number; from?: number; to?: number },
): PredictionChart {
  // One series against itself: the axis, the window and the thinning are those of a comparison.
  const compared = compareScenarios([{ scenarioId: "", ...stored }], "", options);
  const { series, pointCount: _, actual: __, ...axis } = compared;
  const [{ values, lower, upper }] = series as [(typeof series)[number]];
  return { rowCount: stored.prediction.length, ...axis, values, lower, upper };
}
