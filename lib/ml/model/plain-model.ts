import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { type EnsembleProgram, evaluatorOfProgram } from "#lib/ml/trees/evaluate-ensemble";
import {
  type PredictingFacts,
  type PredictOptions,
  type PredictResult,
  predictTable,
  runOnFeatures,
} from "./predict-table.ts";

/** A model of trees with all that predicting needs, as plain data: what can go to a thread. */
export type PlainModel = PredictingFacts & {
  pipeline: FeaturePipeline;
  /** Rows kept with the model, where it has a series. */
  history: Table | null;
  trees: EnsembleProgram;
};

export type Predict = (table: Table, options?: PredictOptions) => Promise<PredictResult>;

/**
 * Predicts what the model that `plain` was taken from does, to the bit, without contributions; loads little. Null where the
 * process can have no more memory.
 */
export function predictorOf(plain: PlainModel): Predict | null {
  const evaluator = evaluatorOfProgram(plain.trees);
  if (evaluator === null) return null;
  const run = runOnFeatures(plain, async (columns, rowCount) => evaluator.predict(columns, rowCount));
  return async (table, options) => (await predictTable(plain, run, table, options)).answer;
}
