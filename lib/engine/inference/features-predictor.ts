import { algorithms } from "#lib/contract/algorithms";
import type { Importance } from "#lib/contract/models";
import { buildFeatures } from "#lib/engine/features/build-features";
import { shortestTargetShift } from "#lib/engine/features/pipeline";
import { predictRows } from "#lib/engine/forecasting/predict-rows";
import { boundedLogOdds } from "#lib/engine/learners/log-odds";
import { sliceRows } from "#lib/engine/table/rows";
import {
  type Evaluate,
  evaluatorOfLearner,
  type PlainLearner,
  plainLearner,
  toPredictions,
} from "./evaluate.ts";
import { groupSources, importanceParts, inputSources } from "./feature-sources.ts";
import type { FeatureLearner } from "./learner.ts";
import type { ImportanceSample, PredictorSettings, RowPredictor, TrainedPredictor } from "./row-predictor.ts";

type FeaturesModel = {
  /** Predicts each row from its model inputs. */
  evaluate: (columns: Float32Array[], rowCount: number) => ReturnType<Evaluate> | Promise<Float64Array>;
  /** Returns the learner for contributions; null if they are not needed. */
  learner: () => Promise<FeatureLearner | null>;
  plain: () => PlainLearner | null;
};

/** Creates the predictor of any model that predicts a row from the features of its pipeline. */
export function evaluatedPredictor(
  { pipeline, horizon, ...output }: PredictorSettings,
  { evaluate, learner, plain }: FeaturesModel,
): RowPredictor {
  const run = async (columns: Float32Array[], rowCount: number) =>
    toPredictions(output, await evaluate(columns, rowCount));
  const model = { pipeline, horizon: horizon ?? 1, run };
  const readsTarget = shortestTargetShift(pipeline) !== null;
  return {
    readsTarget,
    rowsBuildOnEachOther: readsTarget,
    predict: (table, known, keepFeatures) => predictRows(model, table, known, keepFeatures),
    async explain(_, { predictions, features }, places = [...predictions.keys()]) {
      const explained = await learner();
      if (explained === null) return null;
      const { contributionsByFeature } = await import("./contributions.ts");
      const columns = features!.columns.map((column) => Float32Array.from(places, (place) => column[place]!));
      const sources = inputSources(pipeline);
      if (output.isOfClasses) {
        const logOdds = (await evaluate(columns, places.length)).map(boundedLogOdds);
        return { ...contributionsByFeature(explained, sources, columns, logOdds), scale: "log_odds" };
      }
      const wanted = Float64Array.from(places, (place) => predictions[place]!);
      return contributionsByFeature(explained, sources, columns, wanted);
    },
    plain,
  };
}

/** Creates the predictor of trees or of a linear model. */
export function featuresPredictor(settings: PredictorSettings, learner: FeatureLearner): TrainedPredictor {
  const evaluate = evaluatorOfLearner(learner);
  const { pipeline, floor, isOfClasses } = settings;
  const predict = (columns: Float32Array[]) =>
    toPredictions(settings, evaluate(columns, columns[0]?.length ?? 0));
  return {
    ...evaluatedPredictor(settings, {
      evaluate,
      learner: async () => learner,
      plain: () => plainLearner(learner),
    }),
    name: learner.kind === "trees" ? algorithms.gradient_boosting.label : "Linear regression",
    settings: settingsOf(learner),
    members: [],
    memberWeights: () => [],
    importance: (sample) => importanceOf(learner, pipeline, predict, sample),
    async exportOnnx(target) {
      const { linearToOnnx, treesToOnnx } = await import("#lib/engine/onnx/write-model");
      const link = isOfClasses ? "logistic" : floor === 0 ? "nonNegative" : "none";
      // The ONNX graph has no node for the level.
      if (learner.kind === "trees" && learner.base) return null;
      return learner.kind === "trees"
        ? treesToOnnx(learner, { target }, link)
        : linearToOnnx(learner, { target }, link);
    },
    continuedFrom: () => learner,
  };
}

function settingsOf(learner: FeatureLearner): Record<string, number> {
  if (learner.kind === "trees") return { rounds: learner.trees.length };
  const { alpha, l1Ratio } = learner;
  return { ...(alpha !== undefined && { alpha }), ...(l1Ratio !== undefined && { l1Ratio }) };
}

async function importanceOf(
  learner: FeatureLearner,
  pipeline: PredictorSettings["pipeline"],
  evaluate: (columns: Float32Array[]) => Float64Array,
  { table, targets, trainingRows, known, random }: ImportanceSample,
): Promise<Importance[]> {
  const { gainImportance, linearImportance } = await import("#lib/engine/explanation/importance");
  const { permutationImportance } = await import("#lib/engine/explanation/permutation");
  const gains = learner.kind === "trees" ? gainImportance(learner) : linearImportance(learner);
  const sources = inputSources(pipeline);
  const features = [...new Set(sources.map(({ feature }) => feature))];
  const groups = features.map((feature) =>
    [...sources.keys()].filter((at) => sources[at]!.feature === feature),
  );
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  const { columns } = buildFeatures(pipeline, sliceRows(table, trainingRows), history);
  const actual = targets.subarray(trainingRows);
  const rises = permutationImportance(evaluate, columns, actual, groups, random);
  const gainOf = (group: number[]) => group.reduce((sum, at) => sum + gains[at]!, 0);
  const { groups: parts, places } = groupSources(sources);
  const partGains = parts.map((_, part) => gainOf([...places.keys()].filter((at) => places[at] === part)));
  return features
    .map((feature, at) => ({
      feature,
      gain: gainOf(groups[at]!),
      ...importanceParts(feature, parts, partGains),
      permutation: rises[at]!,
    }))
    .sort((a, b) => b.gain - a.gain);
}
