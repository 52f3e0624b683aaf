import { gainImportance, linearImportance } from "#lib/ml/explain/importance";
import { permutationImportance } from "#lib/ml/explain/permutation";
import { buildFeatures } from "#lib/ml/features/build-features";
import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { sliceRows } from "#lib/ml/table/rows";
import { seededRandom } from "#lib/ml/train/seeded-random";
import { featureSources } from "./feature-sources.ts";
import type { CandidateContext, Learner } from "./learner.ts";
import type { ModelSummary } from "./model-summary.ts";
import { runLearner } from "./train-learner.ts";

/** What each input feature is worth to the model: its share in training, and what its loss costs on validation rows. */
export function featureImportance(
  context: CandidateContext,
  pipeline: FeaturePipeline,
  learner: Learner,
): ModelSummary["importance"] {
  const { data, known, nonNegative, seed } = context;
  const gains = learner.kind === "trees" ? gainImportance(learner) : linearImportance(learner);
  const sources = featureSources(pipeline);
  const features = [...new Set(sources)];
  const groups = features.map((feature) => [...sources.keys()].filter((at) => sources[at] === feature));
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  const { columns } = buildFeatures(pipeline, sliceRows(data.table, data.trainingRows), history);
  const rises = permutationImportance(
    (inputs) => runLearner(learner, inputs, nonNegative),
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
