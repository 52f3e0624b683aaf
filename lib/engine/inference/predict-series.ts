import type { Table } from "#lib/contract/table";
import { buildFeatures, type FeatureMatrix, gridIndexes } from "#lib/engine/features/build-features";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { forecastOrigin } from "#lib/engine/features/target-history";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { predictLinear } from "#lib/engine/learners/linear-design";
import { startFilter } from "#lib/engine/series-methods/methods";
import type { SeriesFilter } from "#lib/engine/series-methods/series-filter";
import { takeRows } from "#lib/engine/table/rows";
import type { SeriesLearner } from "./learner.ts";

/**
 * Maximum forecast length; later steps repeat its last value. Without a limit, a row in the year 9999 would fill the
 * memory.
 */
const STEPS_AHEAD_MAX = 100_000;

type SeriesModel = {
  pipeline: FeaturePipeline;
  learner: SeriesLearner;
  /** Steps from one forecast origin to the next inside the known series. */
  horizon: number;
};

/**
 * Prepares a model of series methods for predictions. Each row is predicted from the observations before its forecast
 * origin and from its own inputs. For rows after the known series, the origin is its end. For rows inside, origins
 * lie every `horizon` steps back from the end. The forecast is the median of the methods' forecasts.
 */
export function seriesPredictor({ pipeline, learner, horizon }: SeriesModel) {
  const remainders = new WeakMap<Float64Array, Float64Array>();
  /** Returns the known values minus the part of the inputs. */
  const remainderOf = (known: KnownSeries): Float64Array => {
    if (learner.inputs === null) return known.observed;
    const found = remainders.get(known.observed) ?? withoutInputs(pipeline, learner, known);
    remainders.set(known.observed, found);
    return found;
  };
  return (table: Table, known: KnownSeries | null, keepFeatures = false): RowPredictions => {
    if (!known || !pipeline.grid) throw new RangeError("A model of series methods needs the known series.");
    const indexes = gridIndexes(pipeline, table);
    const count = table.rowCount;
    const origins = Float64Array.from(indexes, (index) =>
      Number.isNaN(index) ? known.end : forecastOrigin(index, known.end, horizon),
    );
    const steps = Int32Array.from(indexes, (index, row) =>
      Number.isNaN(index) ? 1 : index - origins[row]! + 1,
    );
    const past = forecastRows(
      learner,
      { values: remainderOf(known), firstIndex: known.firstIndex },
      origins,
      steps,
    );
    let features: FeatureMatrix | null = null;
    const predictions = past.slice();
    if (learner.inputs !== null) {
      const built = buildFeatures(pipeline, table);
      const added = predictLinear(learner.inputs, built.columns);
      for (let row = 0; row < count; row++) predictions[row]! += added[row]!;
      if (keepFeatures) features = built;
    } else if (keepFeatures) features = buildFeatures(pipeline, table);
    const first = Math.min(...learner.methods.map(({ start }) => start));
    const rowsWithoutHistory = origins.reduce((sum, origin) => sum + (origin <= first ? 1 : 0), 0);
    return { predictions, features, past, steps, rowsWithoutHistory };
  };
}

function withoutInputs(
  pipeline: FeaturePipeline,
  { inputs }: SeriesLearner,
  known: KnownSeries,
): Float64Array {
  const { table, rowAt, observed } = known;
  const rows = rowAt.filter((row) => row >= 0);
  const added = predictLinear(inputs!, buildFeatures(pipeline, takeRows(table, rows)).columns);
  const rest = observed.slice();
  let at = 0;
  rowAt.forEach((row, i) => {
    if (row >= 0) rest[i]! -= added[at++]!;
  });
  return rest;
}

/** Forecasts rows from their origins: each method processes the observations once. */
function forecastRows(
  { methods, mean }: SeriesLearner,
  { values, firstIndex }: { values: Float64Array; firstIndex: number },
  origins: Float64Array,
  steps: Int32Array,
): Float64Array {
  const furthest = new Map<number, number>();
  origins.forEach((origin, row) => {
    furthest.set(origin, Math.max(furthest.get(origin) ?? 0, Math.min(steps[row]!, STEPS_AHEAD_MAX)));
  });
  const ascending = [...furthest.keys()].sort((a, b) => a - b);
  const byOrigin = new Map<number, Float64Array[]>(ascending.map((origin) => [origin, []]));
  for (const { parameters, start } of methods) {
    const filter = startFilter(parameters);
    let index = start;
    for (const origin of ascending) {
      index = advance(filter, index, origin, (at) => values[at - firstIndex] ?? Number.NaN);
      byOrigin.get(origin)!.push(filter.forecast(furthest.get(origin)!));
    }
  }
  const medians = new Map(ascending.map((origin) => [origin, medianOf(byOrigin.get(origin)!, mean)]));
  return Float64Array.from(origins, (origin, row) => {
    const forecast = medians.get(origin)!;
    return forecast[Math.min(steps[row]!, forecast.length) - 1]!;
  });
}

/** Missing observations after which a filter's state is no longer updated. */
const GAP_MAX = 100_000;

function advance(filter: SeriesFilter, from: number, to: number, valueAt: (index: number) => number): number {
  let gap = 0;
  for (let index = from; index < to; index++) {
    const value = valueAt(index);
    gap = Number.isNaN(value) ? gap + 1 : 0;
    if (gap <= GAP_MAX) filter.update(value);
  }
  return Math.max(from, to);
}

/** Returns the median of each step's finite forecasts; `otherwise` for steps without any. */
function medianOf(forecasts: readonly Float64Array[], otherwise: number): Float64Array {
  const steps = forecasts[0]!.length;
  const medians = new Float64Array(steps);
  for (let step = 0; step < steps; step++) {
    const values = forecasts
      .map((forecast) => forecast[step]!)
      .filter(Number.isFinite)
      .sort((a, b) => a - b);
    const middle = values.length >> 1;
    if (values.length === 0) medians[step] = otherwise;
    else if (values.length % 2 === 1) medians[step] = values[middle]!;
    else medians[step] = (values[middle - 1]! + values[middle]!) / 2;
  }
  return medians;
}
