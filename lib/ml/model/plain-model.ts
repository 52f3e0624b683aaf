import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { evaluatorOfPlain, type PlainLearner } from "#lib/engine/inference/evaluate";
import {
  type PredictingFacts,
  type PredictOptions,
  type PredictResult,
  predictTable,
  runOnFeatures,
} from "#lib/engine/inference/predict-table";

/** A model of ours with all that predicting needs, as plain data: what can go to a thread. */
export type PlainModel = PredictingFacts & {
  pipeline: FeaturePipeline;
  /** Rows kept with the model, where it has a series. */
  history: Table | null;
  learner: PlainLearner;
};

export type Predict = (table: Table, options?: PredictOptions) => Promise<PredictResult>;

/**
 * Predicts what the model that `plain` was taken from does, to the bit, without contributions; loads little. Null where the
 * process can have no more memory.
 */
export function predictorOf(plain: PlainModel): Predict | null {
  const evaluate = evaluatorOfPlain(plain.learner);
  if (evaluate === null) return null;
  const run = runOnFeatures(plain, async (columns, rowCount) => evaluate(columns, rowCount));
  return async (table, options) => (await predictTable(plain, run, table, options)).answer;
}
