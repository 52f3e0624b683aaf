import type { PredictionChart } from "#lib/contract/scenario-series";
import { type ChartLevels, pointBounds } from "#lib/engine/intervals/point-bounds";
import type { ComparedScenarios, CompareOptions, ScenarioSeries } from "#lib/engine/series/compare-scenarios";
import type { Bounds, TimedPredictions } from "./read-predictions.ts";

type Window = Pick<CompareOptions, "maxPoints" | "from" | "to" | "bucket">;

/** Compares series as `compareScenarios` does, possibly in a worker thread. */
type Compare = (
  series: ScenarioSeries[],
  baselineId: string,
  options: Window,
) => ComparedScenarios | Promise<ComparedScenarios>;

/**
 * Returns at most `maxPoints` chart points in ascending time order. Downsampling keeps the extremes. `from` and `to` are
 * inclusive: epoch milliseconds, or row numbers from 1 for a series without times. `boundsAt` reads the bounds of the chart
 * points.
 */
export async function predictionChart(
  points: TimedPredictions & Pick<ScenarioSeries, "upper">,
  options: Window,
  boundsAt: (rows: Int32Array) => Promise<Bounds>,
  compare: Compare,
  at: ChartLevels,
): Promise<PredictionChart & Pick<ComparedScenarios, "bucketed">> {
  // Compares the series with itself, which gives the axis, window and downsampling of a comparison.
  const compared = await compare([{ scenarioId: "", ...points }], "", options);
  const { series, rowOf: _, pointCount, actual, spans: __, commonSpan: ___, ...axis } = compared;
  const { values } = series[0]!;
  return {
    rowCount: points.prediction.length,
    ...axis,
    values,
    ...(await pointBounds(compared, 0, boundsAt, { ...at, aggregate: options.bucket?.aggregate })),
    ...(compared.bucketed && { pointCount, actual }),
  };
}
