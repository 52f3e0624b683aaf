import { gainImportance, linearImportance } from "#lib/engine/explanation/importance";
import { permutationImportance } from "#lib/engine/explanation/permutation";
import { buildFeatures } from "#lib/engine/features/build-features";
import { atLeast, evaluatorOfLearner } from "#lib/engine/inference/evaluate";
import { featureSources } from "#lib/engine/inference/feature-sources";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { sliceRows } from "#lib/engine/table/rows";
import type { Fitted } from "#lib/engine/training/fit-candidate";
import type { ModelSummary } from "#lib/engine/training/model-summary";
import type { CandidateContext } from "./learner.ts";

/**
 * What each input feature is worth: its share in training, and by how much the error of the validation rows rises without
 * it.
 *
 * @param fitted the candidate as it was fitted on the training rows alone
 */
export function featureImportance(context: CandidateContext, fitted: Fitted): ModelSummary["importance"] {
  const { pipeline, learner, floor } = fitted;
  const { data, known, seed } = context;
  const gains = learner.kind === "trees" ? gainImportance(learner) : linearImportance(learner);
  const sources = featureSources(pipeline);
  const features = [...new Set(sources)];
  const groups = features.map((feature) => [...sources.keys()].filter((at) => sources[at] === feature));
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  const { columns } = buildFeatures(pipeline, sliceRows(data.table, data.trainingRows), history);
  const evaluate = evaluatorOfLearner(learner);
  const rises = permutationImportance(
    (inputs) => atLeast(floor, evaluate(inputs, inputs[0]?.length ?? 0)),
    columns,
    data.targets.subarray(data.trainingRows),
    groups,
    seededRandom(seed),
  );
  const gainOf = (group: number[]) => group.reduce((sum, at) => sum + gains[at]!, 0);
  return features
    .map((feature, at) => ({ feature, gain: gainOf(groups[at]!), permutation: rises[at]! }))
    .sort((a, b) => b.gain - a.gain);
}
