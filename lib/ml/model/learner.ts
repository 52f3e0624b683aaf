import type { ExtraFeatures } from "#lib/engine/features/fit-pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { LinearModel } from "#lib/engine/learners/linear-design";
import type { LossName } from "#lib/engine/learners/losses";
import type { Ensemble } from "#lib/engine/learners/tree";
import type { FeatureSet } from "#lib/engine/training/feature-sets";
import type { PreparedData } from "#lib/engine/training/prepare-data";

/** Kinds of models, the simplest first. */
export const FAMILIES = [
  "mean",
  "seasonal_naive",
  "drift",
  "ridge",
  "elastic_net",
  "gradient_boosting",
] as const;
export type Family = (typeof FAMILIES)[number];

export const FAMILY_NAMES: Record<Family, string> = {
  mean: "Mean",
  seasonal_naive: "Seasonal naive",
  drift: "Drift",
  ridge: "Ridge regression",
  elastic_net: "Elastic net",
  gradient_boosting: "Gradient boosting",
};

export type Hyperparameters = {
  rounds?: number | undefined;
  maxLeaves?: number | undefined;
  learningRate?: number | undefined;
  minLeaf?: number | undefined;
  l2?: number | undefined;
  subsample?: number | undefined;
  colsample?: number | undefined;
  earlyStopping?: boolean | undefined;
  loss?: LossName | undefined;
  quantile?: number | undefined;
  l1?: number | undefined;
  /** By input column: which way the prediction may go as it grows. */
  monotone?: Readonly<Record<string, "increasing" | "decreasing">> | undefined;
  alpha?: number | undefined;
  l1Ratio?: number | undefined;
};

export type Learner = Ensemble | LinearModel;

export type CandidateContext = {
  data: PreparedData;
  known: KnownSeries | null;
  timestamp: string | null;
  target: string;
  timezone: string;
  upstream: { feature: string; sourceProjectId: string }[];
  missing: ReadonlySet<string>;
  calendar: boolean;
  extra: ExtraFeatures;
  /** Steps ahead that models are made for; null without a regular series. */
  horizon: number | null;
  seed: number;
  shouldStop: () => boolean;
};

/** One thing to try: a kind of model with its settings, on these features. */
export type CandidateSpec = { family: Family; set: FeatureSet; hyperparameters: Hyperparameters };
