import { gainImportance, linearImportance } from "#lib/engine/explanation/importance";
import { permutationImportance } from "#lib/engine/explanation/permutation";
import { buildFeatures } from "#lib/engine/features/build-features";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { atLeast, evaluatorOfLearner } from "#lib/engine/inference/evaluate";
import { featureSources } from "#lib/engine/inference/feature-sources";
import type { SeriesLearner } from "#lib/engine/inference/learner";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { sliceRows } from "#lib/engine/table/rows";
import type { CandidateContext, Fitted } from "./candidate.ts";
import type { ModelSummary } from "./model-summary.ts";

/**
 * Computes the importance of each input feature: its share in training, and the increase of the validation error
 * without it.
 *
 * @param fitted the candidate fitted on the training rows only
 */
export function featureImportance(context: CandidateContext, fitted: Fitted): ModelSummary["importance"] {
  const { pipeline, learner, floor } = fitted;
  const { data, known, seed } = context;
  if (learner.kind === "series") return seriesImportance(context, pipeline, learner);
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

/** Shares by standard deviation: of the parts of the inputs, and of the remainder, which is the target's history. */
function seriesImportance(
  { data, target }: CandidateContext,
  pipeline: FeaturePipeline,
  { inputs }: SeriesLearner,
): ModelSummary["importance"] {
  if (inputs === null) return [{ feature: target, gain: 1 }];
  const { columns } = buildFeatures(pipeline, data.table);
  const parts = new Map<string, Float64Array>();
  const rest = Float64Array.from(data.targets);
  featureSources(pipeline).forEach((source, i) => {
    const sum = parts.get(source) ?? new Float64Array(rest.length);
    parts.set(source, sum);
    columns[i]!.forEach((value, row) => {
      const part = inputs.coefficients[i]! * (value - inputs.means[i]!);
      sum[row]! += part;
      rest[row]! -= part;
    });
  });
  parts.set(target, rest);
  const spreads = [...parts].map(([feature, values]) => ({ feature, gain: deviation(values) }));
  const total = spreads.reduce((sum, { gain }) => sum + gain, 0) || 1;
  return spreads
    .map(({ feature, gain }) => ({ feature, gain: gain / total }))
    .sort((a, b) => b.gain - a.gain);
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
