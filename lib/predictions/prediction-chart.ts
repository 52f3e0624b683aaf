import type { PredictionChart } from "#lib/contract/scenario-series";
import type { Bounds, Points } from "#lib/domain/scenarios/predictions/read-predictions";
import {
  type ComparedScenarios,
  compareScenarios,
  type ScenarioSeries,
} from "#lib/engine/series/compare-scenarios";
import { wireNumbers } from "#lib/engine/series/summary";

type Window = { maxPoints?: number; from?: number; to?: number };

/** Lays series side by side as `compareScenarios` does, perhaps elsewhere. */
type Compare = (
  series: ScenarioSeries[],
  baselineId: string,
  options: Window,
) => ComparedScenarios | Promise<ComparedScenarios>;

/**
 * Points to draw, at most `maxPoints`, with the extremes, in the order of time. `from` and `to`, both included, are
 * epoch milliseconds, or row numbers from 1 for a series without times. `boundsAt` reads the bounds of the rows that are drawn.
 */
export async function predictionChart(
  points: Points,
  options: Window,
  boundsAt: (rows: Int32Array) => Promise<Bounds>,
  compare: Compare = compareScenarios,
): Promise<PredictionChart> {
  // One series against itself: the axis, the window and the thinning are those of a comparison.
  const compared = await compare([{ scenarioId: "", ...points }], "", options);
  const { series, rowOf, pointCount: _, actual: __, ...axis } = compared;
  return {
    ...{ rowCount: points.prediction.length, ...axis, values: series[0]!.values },
    ...wireBounds(await boundsAt(rowOf[0]!), rowOf[0]!.length),
  };
}

/** Bounds as they are sent: null at each of so many points where there are none. */
export function wireBounds(
  { lower, upper }: Bounds,
  length: number,
): { lower: (number | null)[]; upper: (number | null)[] } {
  const wire = (values: Float64Array | null) =>
    values === null ? new Array<null>(length).fill(null) : wireNumbers(values);
  return { lower: wire(lower), upper: wire(upper) };
}
