import type { Table } from "#lib/contract/table";
import { buildFeatures, type FeatureMatrix, gridIndexes } from "#lib/engine/features/build-features";
import { withInputLags } from "#lib/engine/features/input-lags";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { forecastOrigin, stepsAhead } from "#lib/engine/features/target-history";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { predictLinear } from "#lib/engine/learners/linear-design";
import {
  type Combination,
  type Observations,
  startCombination,
} from "#lib/engine/series-methods/combination";
import type { SeriesForecast } from "#lib/engine/series-methods/series-method";
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
 *
 * The state at the end of the known series is cached, so that repeated predictions do not process it again.
 */
export function seriesPredictor({ pipeline, learner, horizon }: SeriesModel) {
  const atEnds = new WeakMap<Float64Array, AtEnd>();
  const atEndOf = (known: KnownSeries): AtEnd => {
    const cached = atEnds.get(known.observed);
    if (cached?.end === known.end) return cached;
    const made = stateAtEnd(learner, remainderOf(pipeline, learner, known), known.end);
    atEnds.set(known.observed, made);
    return made;
  };
  return (table: Table, known: KnownSeries | null, keepFeatures = false): RowPredictions => {
    if (!known || !pipeline.grid) throw new RangeError("A model of series methods needs the known series.");
    const indexes = gridIndexes(pipeline, table);
    const origins = indexes.map((index) =>
      Number.isNaN(index) ? known.end : forecastOrigin(index, known.end, horizon),
    );
    const steps = stepsAhead(indexes, known.end, horizon);
    const past = forecastRows(learner, atEndOf(known), origins, steps);
    const predictions = past.values.slice();
    const features =
      learner.inputs !== null || keepFeatures
        ? buildFeatures(pipeline, withInputLags(pipeline, table, known))
        : emptyFeatures();
    if (learner.inputs !== null) {
      const added = predictLinear(learner.inputs, features.columns);
      for (let row = 0; row < predictions.length; row++) predictions[row]! += added[row]!;
    }
    const latest = Math.max(...learner.methods.map(({ start }) => start));
    const rowsWithoutHistory = origins.reduce((sum, origin) => sum + (origin <= latest ? 1 : 0), 0);
    return { predictions, features: keepFeatures ? features : null, past, steps, rowsWithoutHistory };
  };
}

const emptyFeatures = (): FeatureMatrix => ({ names: [], sources: [], columns: [] });

/**
 * Returns the learner with its methods in the state before a grid index, for a series that will be known only from that
 * index. Methods that begin later are unchanged.
 */
export function continuedFrom(
  { pipeline, learner }: Omit<SeriesModel, "horizon">,
  known: KnownSeries,
  index: number,
): SeriesLearner {
  if (learner.methods.every(({ start }) => start >= index)) return learner;
  const combination = startCombination(learner);
  combination.advance(remainderOf(pipeline, learner, known), index);
  return { ...learner, methods: combination.snapshot() };
}

/** Returns the known values minus the part of the inputs; ignored values are gaps. */
export function remainderOf(
  pipeline: FeaturePipeline,
  { inputs, ignored = [] }: SeriesLearner,
  known: KnownSeries,
): Observations {
  const { table, rowAt, observed, firstIndex } = known;
  if (inputs === null && ignored.length === 0) return { values: observed, firstIndex };
  const values = observed.slice();
  for (const index of ignored) {
    if (index >= firstIndex && index < firstIndex + values.length) values[index - firstIndex] = Number.NaN;
  }
  if (inputs === null) return { values, firstIndex };
  const rows = rowAt.filter((row) => row >= 0);
  const ownRows = withInputLags(pipeline, takeRows(table, rows), known);
  const added = predictLinear(inputs, buildFeatures(pipeline, ownRows).columns);
  let at = 0;
  rowAt.forEach((row, i) => {
    if (row >= 0) values[i]! -= added[at++]!;
  });
  return { values, firstIndex };
}

/** State of the methods at the end of the known series. */
type AtEnd = {
  end: number;
  observed: Observations;
  /** Returns a forecast of at least as many steps. */
  forecast(steps: number): SeriesForecast;
};

function stateAtEnd(learner: SeriesLearner, observed: Observations, end: number): AtEnd {
  let combination: Combination | null = null;
  let longest: SeriesForecast | null = null;
  return {
    end,
    observed,
    forecast(steps) {
      if (combination === null) {
        combination = startCombination(learner);
        combination.advance(observed, end);
      }
      if (longest === null || longest.values.length < steps) longest = combination.forecast(steps);
      return longest;
    },
  };
}

/** Forecasts rows from their origins. Origins before the end are processed in order, each observation once. */
function forecastRows(
  learner: SeriesLearner,
  { end, observed, forecast }: AtEnd,
  origins: Float64Array,
  steps: Int32Array,
): SeriesForecast {
  const furthest = new Map<number, number>();
  origins.forEach((origin, row) => {
    furthest.set(origin, Math.max(furthest.get(origin) ?? 0, Math.min(steps[row]!, STEPS_AHEAD_MAX)));
  });
  const before = startCombination(learner);
  const forecasts = new Map<number, SeriesForecast>();
  for (const origin of [...furthest.keys()].sort((a, b) => a - b)) {
    if (origin === end) forecasts.set(origin, forecast(furthest.get(origin)!));
    else {
      before.advance(observed, origin);
      forecasts.set(origin, before.forecast(furthest.get(origin)!));
    }
  }
  const part = (name: keyof SeriesForecast) =>
    origins.map((origin, row) => {
      const forecast = forecasts.get(origin)![name];
      return forecast[Math.min(steps[row]!, STEPS_AHEAD_MAX) - 1]!;
    });
  return { values: part("values"), level: part("level") };
}
