import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { evaluatorOfPlain, type PlainLearner } from "./evaluate.ts";
import type { SeriesLearner } from "./learner.ts";
import {
  type PredictionMetadata,
  type PredictOptions,
  type PredictResult,
  predictTable,
  runOnSeries,
} from "./predict-table.ts";
import { featurePredictor, methodsPredictor } from "./row-predictor.ts";

/** A trained model as plain data, complete for predictions: it can be sent to another thread. */
export type PlainModel = PredictionMetadata & {
  pipeline: FeaturePipeline;
  /** Rows stored with the model, if it has a series. */
  history: Table | null;
  learner: PlainLearner | SeriesLearner;
};

export type Predict = (table: Table, options?: PredictOptions) => Promise<PredictResult>;

/**
 * Returns a predictor that is bit-identical to the model that `plain` was taken from, without contributions. It loads
 * few modules. Returns null if the process cannot allocate more memory.
 */
export function predictorOf(plain: PlainModel): Predict | null {
  const { pipeline, learner } = plain;
  const { horizon, floor = null } = plain.state;
  const settings = { pipeline, horizon, floor };
  if (learner.kind === "series") {
    const run = runOnSeries(plain, methodsPredictor(settings, learner));
    return async (table, options) => (await predictTable(plain, run, table, options)).answer;
  }
  const evaluate = evaluatorOfPlain(learner);
  if (evaluate === null) return null;
  const run = runOnSeries(plain, featurePredictor(settings, evaluate));
  return async (table, options) => (await predictTable(plain, run, table, options)).answer;
}
