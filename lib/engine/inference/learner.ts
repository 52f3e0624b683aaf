import { algorithms } from "#lib/contract/algorithms";
import type { Classes } from "#lib/contract/classes";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { Ensemble } from "#lib/engine/learners/tree";
import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import type { MethodName, MethodParameters } from "#lib/engine/series-methods/methods";
import { METHODS } from "#lib/engine/series-methods/methods";
import type { RemovedSeasons } from "#lib/engine/series-methods/seasons";

const BEFORE_METHODS = ["mean", "seasonal_naive", "drift"] as const;
const AFTER_METHODS = ["combination", "ridge", "elastic_net", "gradient_boosting", "blend"] as const;
export type Family = (typeof BEFORE_METHODS)[number] | MethodName | (typeof AFTER_METHODS)[number];

/** Model families, simplest first. */
export const FAMILIES: readonly Family[] = [...BEFORE_METHODS, ...METHODS, ...AFTER_METHODS];

/** Returns one entry for each series method. */
export const ofMethods = <T>(value: (method: MethodName) => T) =>
  Object.fromEntries(METHODS.map((method) => [method, value(method)])) as Record<MethodName, T>;

/** Checks whether a family can predict the probability of a class. */
export const predictsClasses = (family: Family): boolean => algorithms[family].classLabel !== undefined;

/** Returns the name of a candidate's models, for a target of numbers or of classes. */
export function modelNameOf(
  { family, set }: { family: Family; set: { lags: readonly number[] } },
  classes: Classes | null,
): string {
  // A season of one step repeats the last value.
  if (family === "seasonal_naive" && set.lags[0] === 1) return "Last value";
  const { label, classLabel } = algorithms[family];
  return (classes && classLabel) ?? label;
}

/** Series methods of the families that continue a whole series; undefined for other families. */
export const FAMILY_METHODS: Partial<Record<Family, readonly MethodName[]>> = {
  ...ofMethods((method) => [method]),
  combination: METHODS,
};

/** A learner that predicts a row from its features. */
export type FeatureLearner = Ensemble | LinearModel;

/** A learner of series methods on the target minus the part of the inputs. */
export type SeriesLearner = {
  kind: "series";
  /**
   * The forecast is the median of the methods' forecasts. `start` is the grid index of a method's first observation.
   */
  methods: { parameters: MethodParameters; start: number }[];
  /** Seasons that the methods do not see; absent if the methods model seasons themselves. */
  seasons?: RemovedSeasons | undefined;
  /** Grid indexes of values that the methods treat as gaps, because they contradict all others. */
  ignored?: number[] | undefined;
  /** Linear part of the inputs, 0 at their means; null without inputs. */
  inputs: LinearModel | null;
  /** Mean of the target minus the part of the inputs, over the training rows. */
  mean: number;
};

/** A learner of one kind. */
export type SingleLearner = FeatureLearner | SeriesLearner;

/** A part of a blend, with its own features. */
export type BlendPart<Of = SingleLearner> = {
  /** Share of the part in the prediction; the shares sum to 1. */
  weight: number;
  /**
   * Present if the learner predicts logarithms of the target. The part's prediction is then `factor` × e^value: the median
   * with a factor of 1, the mean with the factor by which means exceed medians.
   */
  factor?: number;
  pipeline: FeaturePipeline;
  learner: Of;
};

/** A weighted mean of the predictions of other learners. */
export type BlendLearner<Of = SingleLearner> = { kind: "blend"; parts: BlendPart<Of>[] };

/** A learner of one series, or of rows without a series. */
export type Learner = SingleLearner | BlendLearner;

/** A learner of any model's file. */
export type StoredLearner = Learner | PanelLearner;
