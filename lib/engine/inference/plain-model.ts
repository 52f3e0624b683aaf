import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { PlainLearner } from "./evaluate.ts";
import {
  type PredictionMetadata,
  type PredictOptions,
  type PredictResult,
  predictTable,
  runOnSeries,
} from "./predict-table.ts";
import { predictorOfPlain, predictorSettings } from "./predictor-of-learner.ts";

/** A trained model as plain data, complete for predictions: it can be sent to another thread. */
export type PlainModel = PredictionMetadata & {
  pipeline: FeaturePipeline;
  /** Rows stored with the model, if it has a series. */
  history: Table | null;
  learner: PlainLearner;
};

export type Predict = (table: Table, options?: PredictOptions) => Promise<PredictResult>;

/**
 * Returns a predictor that is bit-identical to the model that `plain` was taken from, without contributions. It loads
 * few modules. Returns null if the process cannot allocate more memory.
 */
export function predictorOf(plain: PlainModel): Predict | null {
  const { pipeline, learner } = plain;
  const predictor = predictorOfPlain(predictorSettings(pipeline, plain.state), learner);
  if (predictor === null) return null;
  const run = runOnSeries(plain, predictor);
  return async (table, options) => (await predictTable(plain, run, table, options)).answer;
}
