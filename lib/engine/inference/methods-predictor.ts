import { algorithms } from "#lib/contract/algorithms";
import type { Importance } from "#lib/contract/models";
import { buildFeatures } from "#lib/engine/features/build-features";
import { withInputLags } from "#lib/engine/features/input-lags";
import { type FeaturePipeline, readsEarlierInputs } from "#lib/engine/features/pipeline";
import { startCombination } from "#lib/engine/series-methods/combination";
import { methodText } from "#lib/engine/series-methods/methods";
import { seasonsText } from "#lib/engine/series-methods/seasons";
import { atLeast } from "./evaluate.ts";
import { groupSources, importanceParts, inputSources } from "./feature-sources.ts";
import type { SeriesLearner } from "./learner.ts";
import { continuedFrom, remainderOf, seriesPredictor } from "./predict-series.ts";
import type {
  ImportanceSample,
  PredictorMember,
  PredictorSettings,
  TrainedPredictor,
} from "./row-predictor.ts";

/** Creates the predictor of series methods, with or without inputs. */
export function methodsPredictor(settings: PredictorSettings, learner: SeriesLearner): TrainedPredictor {
  const { pipeline, horizon, floor } = settings;
  const predict = seriesPredictor({ pipeline, learner, horizon: horizon ?? 1 });
  const { methods } = learner;
  return {
    readsTarget: true,
    rowsBuildOnEachOther: readsEarlierInputs(pipeline),
    async predict(table, known, keepFeatures) {
      const rows = predict(table, known, keepFeatures);
      return { ...rows, predictions: atLeast(floor, rows.predictions) };
    },
    async explain(_, { predictions, features, past }, places = [...predictions.keys()]) {
      const { seriesContributions } = await import("./contributions.ts");
      const taken = (values: Float64Array) => Float64Array.from(places, (place) => values[place]!);
      const columns = features!.columns.map((column) => Float32Array.from(places, (place) => column[place]!));
      const parts = { values: taken(past!.values), level: taken(past!.level) };
      return seriesContributions(learner, pipeline, { columns, past: parts }, taken(predictions));
    },
    plain: () => learner,
    name: methods.length > 1 ? algorithms.combination.label : methodText(methods[0]!.parameters),
    settings: {
      methods: methods.map(({ parameters }) => methodText(parameters)).join("; "),
      ...(learner.seasons && { seasons: seasonsText(learner.seasons) }),
    },
    members: methods.length > 1 ? methods.map((method) => memberOf(settings, learner, method)) : [],
    memberWeights(known, steps) {
      const combination = startCombination(learner);
      combination.advance(remainderOf(pipeline, learner, known!), known!.end);
      return combination.weights(steps);
    },
    importance: async (sample) => importanceOf(learner, pipeline, sample),
    exportOnnx: async () => null,
    continuedFrom: (known, index) => continuedFrom({ pipeline, learner }, known, index),
  };
}

function memberOf(
  settings: PredictorSettings,
  learner: SeriesLearner,
  method: SeriesLearner["methods"][number],
): PredictorMember {
  const { parameters } = method;
  const alone = methodsPredictor(settings, { ...learner, methods: [method] });
  return { key: parameters.method, name: methodText(parameters), alone };
}

/** Computes shares of the standard deviations of each input's part and of the remainder, the part of the target's history. */
function importanceOf(
  { inputs }: SeriesLearner,
  pipeline: FeaturePipeline,
  { table, targets, known }: ImportanceSample,
): Importance[] {
  const { target } = pipeline;
  if (inputs === null) return [{ feature: target, gain: 1 }];
  const { columns } = buildFeatures(pipeline, withInputLags(pipeline, table, known));
  const rest = Float64Array.from(targets);
  const zeros = () => new Float64Array(rest.length);
  const parts = new Map<string, Float64Array>();
  const { groups, places } = groupSources(inputSources(pipeline));
  const ofGroups = groups.map(zeros);
  places.forEach((place, i) => {
    const { feature } = groups[place]!;
    const sum = parts.get(feature) ?? zeros();
    parts.set(feature, sum);
    columns[i]!.forEach((value, row) => {
      const part = inputs.coefficients[i]! * (value - inputs.means[i]!);
      sum[row]! += part;
      ofGroups[place]![row]! += part;
      rest[row]! -= part;
    });
  });
  parts.set(target, rest);
  const spreads = [...parts].map(([feature, values]) => ({ feature, gain: deviation(values) }));
  const total = sumOf(spreads.map(({ gain }) => gain)) || 1;
  // Spreads do not add up, so a feature's share is split in proportion to those of its parts.
  const ofParts = ofGroups.map(deviation);
  return spreads
    .map(({ feature, gain }) => {
      const whole = sumOf(ofParts.filter((_, at) => groups[at]!.feature === feature)) || 1;
      const shares = ofParts.map((part) => ((gain / total) * part) / whole);
      return { feature, gain: gain / total, ...importanceParts(feature, groups, shares) };
    })
    .sort((a, b) => b.gain - a.gain);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
