import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { evaluatorOfCompiled, type PlainLearner } from "./evaluate.ts";
import { evaluatedPredictor, featuresPredictor } from "./features-predictor.ts";
import type { ModelState } from "./file-schemas.ts";
import type { Learner } from "./learner.ts";
import { methodsPredictor } from "./methods-predictor.ts";
import type { PredictorSettings, RowPredictor, TrainedPredictor } from "./row-predictor.ts";

/** Returns the settings of the predictor of a model. */
export function predictorSettings(
  pipeline: FeaturePipeline,
  { horizon, floor = null, classes }: Pick<ModelState, "horizon" | "floor" | "classes">,
): PredictorSettings {
  return { pipeline, horizon, floor, isOfClasses: classes !== undefined };
}

/** Creates the predictor of a learner. Code above this file does not distinguish kinds of learners. */
export function predictorOfLearner(settings: PredictorSettings, learner: Learner): TrainedPredictor {
  return learner.kind === "series"
    ? methodsPredictor(settings, learner)
    : featuresPredictor(settings, learner);
}

/**
 * Creates the predictor of a learner that another thread sent. Returns null if the process cannot allocate more
 * memory. Compiled trees have no contributions.
 */
export function predictorOfPlain(settings: PredictorSettings, learner: PlainLearner): RowPredictor | null {
  if (learner.kind !== "compiled") return predictorOfLearner(settings, learner);
  const evaluate = evaluatorOfCompiled(learner);
  return (
    evaluate && evaluatedPredictor(settings, { evaluate, learner: async () => null, plain: () => learner })
  );
}
