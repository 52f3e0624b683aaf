import type { IntervalShape } from "#lib/contract/interval-shape";
import type { LevelBounds } from "#lib/contract/intervals";
import type { PredictionChart } from "#lib/contract/scenario-series";
import { presentLevels } from "#lib/engine/intervals/levels";
import {
  type ComparedScenarios,
  compareScenarios,
  type ScenarioSeries,
} from "#lib/engine/series/compare-scenarios";
import { wireNumbers } from "#lib/engine/series/summary";
import type { Bounds, TimedPredictions } from "./read-predictions.ts";

type ChartLevels = { levels?: readonly number[] | undefined; shape: IntervalShape | null };
type Window = { maxPoints?: number; from?: number; to?: number };

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
  points: TimedPredictions,
  options: Window,
  boundsAt: (rows: Int32Array) => Promise<Bounds>,
  compare: Compare = compareScenarios,
  at: ChartLevels = { shape: null },
): Promise<PredictionChart> {
  // Compares the series with itself, which gives the axis, window and downsampling of a comparison.
  const compared = await compare([{ scenarioId: "", ...points }], "", options);
  const { series, rowOf, pointCount: _, actual: __, spans: ___, ...axis } = compared;
  const { values } = series[0]!;
  const bounds = await boundsAt(rowOf[0]!);
  return {
    ...{ rowCount: points.prediction.length, ...axis, values },
    ...wireBounds(bounds, values.length),
    ...wireLevels(bounds, values, at),
  };
}

/** Converts bounds for the API. Missing bounds become `length` nulls. */
export function wireBounds(
  { lower, upper }: Bounds,
  length: number,
): { lower: (number | null)[]; upper: (number | null)[] } {
  const wire = (values: Float64Array | null) =>
    values === null ? new Array<null>(length).fill(null) : wireNumbers(values);
  return { lower: wire(lower), upper: wire(upper) };
}

/** Computes the requested levels of these values for the API. */
export function wireLevels(
  { lower, upper }: Bounds,
  values: readonly (number | null)[],
  { levels, shape }: ChartLevels,
): { levels?: LevelBounds[] } {
  if (levels === undefined) return {};
  const predictions = Float64Array.from(values, (value) => value ?? Number.NaN);
  return { levels: presentLevels(levels, { predictions, lower, upper, shape }) };
}
