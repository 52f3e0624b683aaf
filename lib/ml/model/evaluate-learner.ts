import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { predictRows } from "#lib/ml/forecast/predict-rows";
import { linearToOnnx, treesToOnnx } from "#lib/ml/onnx/write-model";
import { openSession } from "#lib/ml/runtime/session";
import { regressionMetrics } from "#lib/ml/train/metrics";
import type { CandidateContext, Learner } from "./learner.ts";
import type { Metrics } from "./model-files.ts";

export type EvaluatedModel = {
  /** model.onnx, as it will be stored. */
  bytes: Uint8Array;
  /** The runtime's output for every prepared row, training rows first. */
  predictions: Float64Array;
  /** Steps ahead of each row's forecast origin; null without a series. */
  steps: Int32Array | null;
  train: Metrics;
  validation: Metrics;
  /** 0 where the model never predicts less; else null. */
  floor: 0 | null;
};

/** Writes the learner as ONNX and measures what the runtime makes of those bytes, in the way that they will be used. */
export async function evaluateLearner(
  context: CandidateContext,
  pipeline: FeaturePipeline,
  learner: Learner,
): Promise<EvaluatedModel> {
  const { data, known, target, horizon, nonNegative } = context;
  const metadata = { target };
  // What was never below 0 (sales, rentals, megawatts) is not predicted to be.
  const link = nonNegative ? "nonNegative" : "none";
  const bytes =
    learner.kind === "trees" ? treesToOnnx(learner, metadata, link) : linearToOnnx(learner, metadata, link);
  const session = await openSession(bytes);
  try {
    const model = { pipeline, horizon: horizon ?? 1, run: session.predict };
    const { predictions, steps } = await predictRows(model, data.table, known);
    const cut = data.trainingRows;
    return {
      bytes,
      predictions,
      steps,
      floor: nonNegative ? 0 : null,
      train: regressionMetrics(data.targets.subarray(0, cut), predictions.subarray(0, cut)),
      validation: regressionMetrics(data.targets.subarray(cut), predictions.subarray(cut)),
    };
  } finally {
    await session.release();
  }
}
