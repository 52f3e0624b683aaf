import type { TargetMetric } from "#lib/contract/models";
import { trainingFeatures } from "#lib/engine/features/training-features";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { predictLinear } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { likelihoodRatio, MEANS, meanFactor } from "./blend.ts";
import type { CandidateContext, CandidateSpec } from "./candidate.ts";
import { INPUTS_ONLY, PAST_AND_INPUTS, PAST_ONLY } from "./feature-sets.ts";
import { inputsPipeline } from "./inputs-pipeline.ts";
import { directionsOf } from "./train-learner.ts";

/** Minimum number of points for a choice by back-tests. Below, the result depends on single origins. */
export const SELECTION_POINTS_MIN = 30;

/**
 * Returns the fixed procedure for a series without inputs, or a short one: the combination of series methods. With
 * inputs, the methods forecast the target minus a regression, so that scenarios respond to the inputs. Rows without a
 * known series get only the regression. It learns logarithms where they make the learned rows more likely.
 */
export function fixedProcedure(context: CandidateContext, metric: TargetMetric): CandidateSpec {
  const { data, known, ofLogs } = context;
  if (data.inputs.length === 0) return { family: "combination", set: PAST_ONLY, hyperparameters: {} };
  const spec: CandidateSpec = known
    ? { family: "combination", set: PAST_AND_INPUTS, hyperparameters: {} }
    : { family: "ridge", set: INPUTS_ONLY, hyperparameters: {} };
  if (ofLogs === null) return spec;
  const medians = regression(ofLogs, data.targets);
  if (likelihoodRatio(medians, regression(context, data.targets)) >= 0) return spec;
  return { ...spec, logs: true, ...(MEANS.has(metric) && { factor: meanFactor(medians.backTests) }) };
}

/** Returns the rows as a regression on the inputs fits them, in the target's unit. */
function regression(context: CandidateContext, actual: Float64Array): { backTests: OutOfSample[] } {
  const { data, isOfLogs, signs } = context;
  const pipeline = inputsPipeline(context);
  const { columns } = trainingFeatures(pipeline, data.table, { from: 0, to: data.table.rowCount });
  const model = trainRidge(columns, data.targets, { signs: directionsOf(signs, pipeline, columns) });
  const fitted = predictLinear(model, columns);
  return {
    backTests: [{ from: 0, actual, predicted: isOfLogs ? fitted.map(Math.exp) : fitted, steps: null }],
  };
}
