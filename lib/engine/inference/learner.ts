import type { Classes } from "#lib/contract/classes";
import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { Ensemble } from "#lib/engine/learners/tree";
import type { MethodName, MethodParameters } from "#lib/engine/series-methods/methods";
import { METHODS } from "#lib/engine/series-methods/methods";

/** Model families, simplest first. */
export const FAMILIES = [
  "mean",
  "seasonal_naive",
  "drift",
  "ets",
  "theta",
  "arima",
  "stl_ets",
  "tsb",
  "combination",
  "ridge",
  "elastic_net",
  "gradient_boosting",
] as const;
export type Family = (typeof FAMILIES)[number];

export const FAMILY_NAMES: Record<Family, string> = {
  mean: "Mean",
  seasonal_naive: "Seasonal naive",
  drift: "Drift",
  ets: "Exponential smoothing",
  theta: "Theta",
  arima: "ARIMA",
  stl_ets: "STL and exponential smoothing",
  tsb: "Intermittent demand (TSB)",
  combination: "Combination",
  ridge: "Ridge regression",
  elastic_net: "Elastic net",
  gradient_boosting: "Gradient boosting",
};

/** Families that predict classes, with the names of their models. */
const CLASS_NAMES: Partial<Record<Family, string>> = {
  mean: "Base rate",
  ridge: "Logistic regression",
  gradient_boosting: FAMILY_NAMES.gradient_boosting,
};

/** Checks whether a family can predict the probability of a class. */
export const predictsClasses = (family: Family): boolean => CLASS_NAMES[family] !== undefined;

/** Returns the name of a family's models, for a target of numbers or of classes. */
export function familyName(family: Family, classes: Classes | null): string {
  return (classes && CLASS_NAMES[family]) ?? FAMILY_NAMES[family];
}

/** Series methods of the families that continue a whole series; undefined for other families. */
export const FAMILY_METHODS: Partial<Record<Family, readonly MethodName[]>> = {
  ets: ["ets"],
  theta: ["theta"],
  arima: ["arima"],
  stl_ets: ["stl_ets"],
  tsb: ["tsb"],
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
  /** Linear part of the inputs, 0 at their means; null without inputs. */
  inputs: LinearModel | null;
  /** Mean of the target minus the part of the inputs, over the training rows. */
  mean: number;
};

export type Learner = FeatureLearner | SeriesLearner;
