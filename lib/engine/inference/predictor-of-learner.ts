import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { blendOf, trainedBlend } from "./blend-predictor.ts";
import { evaluatorOfCompiled, type PlainLearner } from "./evaluate.ts";
import { evaluatedPredictor, featuresPredictor } from "./features-predictor.ts";
import type { ModelState } from "./file-schemas.ts";
import type { BlendPart, Learner } from "./learner.ts";
import { methodsPredictor } from "./methods-predictor.ts";
import { panelPredictor } from "./panel-predictor.ts";
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
  if (learner.kind === "blend") {
    const parts = learner.parts.map((part) => ({
      ...part,
      predictor: predictorOfLearner(partSettings(settings, part), part.learner),
    }));
    return trainedBlend(parts);
  }
  return learner.kind === "series"
    ? methodsPredictor(settings, learner)
    : featuresPredictor(settings, learner);
}

/** Returns the settings of the predictor of a part. Logarithms have no lower bound. */
export function partSettings(
  { floor, ...settings }: PredictorSettings,
  { pipeline, factor }: Pick<BlendPart, "pipeline" | "factor">,
): PredictorSettings {
  return { ...settings, pipeline, floor: factor === undefined ? floor : null };
}

/**
 * Creates the predictor of a learner that another thread sent. Returns null if the process cannot allocate more
 * memory. Compiled trees have no contributions.
 */
export function predictorOfPlain(settings: PredictorSettings, learner: PlainLearner): RowPredictor | null {
  if (learner.kind === "blend") {
    const parts = learner.parts.map((part) => ({
      ...part,
      predictor: predictorOfPlain(partSettings(settings, part), part.learner),
    }));
    return parts.every(isOpen) ? blendOf(parts) : null;
  }
  if (learner.kind === "panel") return panelPredictor(settings, learner);
  if (learner.kind !== "compiled") return predictorOfLearner(settings, learner);
  const evaluate = evaluatorOfCompiled(learner);
  return (
    evaluate && evaluatedPredictor(settings, { evaluate, learner: async () => null, plain: () => learner })
  );
}

const isOpen = <T extends { predictor: RowPredictor | null }>(
  part: T,
): part is T & { predictor: RowPredictor } => part.predictor !== null;
