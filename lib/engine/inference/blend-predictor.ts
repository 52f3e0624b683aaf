import type { Importance } from "#lib/contract/models";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import type { FeatureContributions } from "./contributions.ts";
import type { PlainSingleLearner } from "./evaluate.ts";
import type { BlendPart } from "./learner.ts";
import { fromLogs, logSeries } from "./log-series.ts";
import type { PredictorMember, RowPredictor, TrainedPredictor } from "./row-predictor.ts";

type OpenPart<Predictor> = Pick<BlendPart, "weight" | "factor" | "pipeline"> & { predictor: Predictor };

/**
 * Creates the predictor of a weighted mean of models. A part that predicts logarithms sees the logarithms of the known
 * target. Its predictions and contributions are converted to the target's unit before they are added to those of other parts.
 */
export function blendOf(parts: readonly OpenPart<RowPredictor>[]): RowPredictor {
  return {
    readsTarget: parts.some(({ predictor }) => predictor.readsTarget),
    rowsBuildOnEachOther: parts.some(({ predictor }) => predictor.rowsBuildOnEachOther),
    async predict(table, known, keepFeatures) {
      const rows: RowPredictions[] = [];
      for (const { predictor, ...part } of parts)
        rows.push(await predictor.predict(table, seriesFor(part, known), keepFeatures));
      const predictions = new Float64Array(table.rowCount);
      parts.forEach((part, at) => {
        const own = inUnits(part, rows[at]!.predictions);
        for (let row = 0; row < predictions.length; row++) predictions[row]! += part.weight * own[row]!;
      });
      return {
        predictions,
        features: null,
        parts: rows,
        steps: rows.find(({ steps }) => steps !== null)?.steps ?? null,
        rowsWithoutHistory: Math.max(...rows.map(({ rowsWithoutHistory }) => rowsWithoutHistory)),
      };
    },
    async explain(table, { predictions, parts: rows }, places = [...predictions.keys()]) {
      const { joinContributions, contributionsInUnits } = await import("./blend-contributions.ts");
      const explained: { weight: number; contributions: FeatureContributions }[] = [];
      for (const [at, { predictor, weight, factor }] of parts.entries()) {
        const own = await predictor.explain(table, rows![at]!, places);
        if (own === null) return null;
        const contributions =
          factor === undefined ? own : contributionsInUnits(own, (logs) => fromLogs(logs, factor));
        explained.push({ weight, contributions });
      }
      return joinContributions(
        explained,
        Float64Array.from(places, (place) => predictions[place]!),
      );
    },
    plain() {
      const plain = parts.map(({ predictor, ...part }) => ({ ...part, learner: predictor.plain() }));
      const isPlain = plain.every(({ learner }) => learner !== null);
      return isPlain ? { kind: "blend", parts: plain as BlendPart<PlainSingleLearner>[] } : null;
    },
  };
}

/** Creates the predictor of a blend that this service has trained. */
export function trainedBlend(parts: readonly OpenPart<TrainedPredictor>[]): TrainedPredictor {
  const [only] = parts as [OpenPart<TrainedPredictor>];
  const alone = (part: OpenPart<RowPredictor>) => blendOf([{ ...part, weight: 1 }]);
  const members =
    parts.length === 1
      ? only.predictor.members.map((member) => ({
          ...member,
          alone: alone({ ...only, predictor: member.alone }),
        }))
      : parts.map(
          (part, at): PredictorMember => ({ key: String(at), name: nameOf(part), alone: alone(part) }),
        );
  return {
    ...blendOf(parts),
    name: parts.map(nameOf).join(", "),
    settings: Object.assign({}, ...parts.map(({ predictor }) => predictor.settings)),
    members,
    memberWeights: (known, steps) =>
      parts.length === 1
        ? only.predictor.memberWeights(seriesFor(only, known)!, steps)
        : parts.map(({ weight }) => weight),
    async importance(sample) {
      const importances: Importance[][] = [];
      for (const { predictor, factor } of parts) {
        const logs = {
          ...sample,
          targets: sample.targets.map(Math.log),
          known: sample.known && logSeries(sample.known),
        };
        importances.push(await predictor.importance(factor === undefined ? sample : logs));
      }
      return meanImportance(importances, parts);
    },
    exportOnnx: async () => null,
    continuedFrom: (known, index) => ({
      kind: "blend",
      parts: parts.map(({ predictor, ...part }) => {
        const learner = predictor.continuedFrom(seriesFor(part, known)!, index);
        return { ...part, learner } as BlendPart;
      }),
    }),
  };
}

const seriesFor = ({ factor }: Pick<BlendPart, "factor">, known: KnownSeries | null) =>
  factor === undefined || known === null ? known : logSeries(known);

const inUnits = ({ factor }: Pick<BlendPart, "factor">, values: Float64Array) =>
  factor === undefined ? values : fromLogs(values, factor);

function nameOf({ factor, predictor }: OpenPart<TrainedPredictor>): string {
  return `${predictor.name}${factor === undefined ? "" : ", of logarithms"}`;
}

/** Returns the mean of the parts' shares, the most important feature first. */
function meanImportance(
  importances: readonly Importance[][],
  parts: readonly Pick<BlendPart, "weight">[],
): Importance[] {
  const all = importances.flatMap((own, at) =>
    own.map(({ feature, gain, parts: details }) => {
      const { weight } = parts[at]!;
      const shares = details?.map((one) => ({ ...one, gain: one.gain * weight }));
      return { feature, gain: gain * weight, details: shares ?? [{ detail: null, gain: gain * weight }] };
    }),
  );
  return [...Map.groupBy(all, ({ feature }) => feature)]
    .map(([feature, own]) => {
      const byDetail = Map.groupBy(
        own.flatMap(({ details }) => details),
        ({ detail }) => detail,
      );
      const details = [...byDetail].map(([detail, shares]) => ({ detail, gain: sumOf(shares) }));
      return {
        feature,
        gain: sumOf(own),
        ...(details.some(({ detail }) => detail !== null) && {
          parts: details.toSorted((a, b) => b.gain - a.gain),
        }),
      };
    })
    .sort((a, b) => b.gain - a.gain);
}

const sumOf = (shares: readonly { gain: number }[]) => shares.reduce((sum, { gain }) => sum + gain, 0);
