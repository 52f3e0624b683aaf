import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import { predictRows, type RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { atLeast, type Evaluate, evaluatorOfLearner } from "./evaluate.ts";
import type { Learner, SeriesLearner } from "./learner.ts";
import { seriesPredictor } from "./predict-series.ts";

/** Function that predicts rows, given the known series, with a model of any kind. */
export type RowPredictor = (
  table: Table,
  known: KnownSeries | null,
  keepFeatures?: boolean,
) => Promise<RowPredictions>;

type RowPredictorSettings = {
  pipeline: FeaturePipeline;
  /** Steps that the model forecasts ahead; null without a regular series. */
  horizon: number | null;
  /** Lower bound of predictions; null if unbounded. */
  floor: number | null;
};

/** Creates the predictor for a learner. Only this function distinguishes kinds of learners. */
export function predictorOfLearner(settings: RowPredictorSettings, learner: Learner): RowPredictor {
  return learner.kind === "series"
    ? methodsPredictor(settings, learner)
    : featurePredictor(settings, evaluatorOfLearner(learner));
}

/** Creates a predictor that uses the features of each row: for trees, linear models and imported models. */
export function featurePredictor(
  { pipeline, horizon, floor }: RowPredictorSettings,
  evaluate: (columns: Float32Array[], rowCount: number) => ReturnType<Evaluate> | Promise<Float64Array>,
): RowPredictor {
  const run = async (columns: Float32Array[], rowCount: number) =>
    atLeast(floor, await evaluate(columns, rowCount));
  const model = { pipeline, horizon: horizon ?? 1, run };
  return (table, known, keepFeatures) => predictRows(model, table, known, keepFeatures);
}

/** Creates a predictor of series methods, with or without inputs. */
export function methodsPredictor(
  { pipeline, horizon, floor }: RowPredictorSettings,
  learner: SeriesLearner,
): RowPredictor {
  const predict = seriesPredictor({ pipeline, learner, horizon: horizon ?? 1 });
  return async (table, known, keepFeatures) => {
    const rows = predict(table, known, keepFeatures);
    return { ...rows, predictions: atLeast(floor, rows.predictions) };
  };
}
