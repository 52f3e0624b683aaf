import type { Classes } from "#lib/contract/classes";
import type { Hyperparameters } from "#lib/contract/hyperparameters";
import type { Table } from "#lib/contract/table";
import type { ExtraFeatures } from "#lib/engine/features/fit-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { Family, Learner } from "#lib/engine/inference/learner";
import type { FeatureSet } from "./feature-sets.ts";
import type { PreparedData } from "./prepare-data.ts";

export type CandidateContext = {
  data: PreparedData;
  known: KnownSeries | null;
  timestamp: string | null;
  target: string;
  timezone: string;
  upstream: { feature: string; sourceProjectId: string }[];
  /** Upstream predictions for the prepared rows that were made from generated inputs; only the known columns. */
  generatedUpstream: Table;
  /** Columns whose values can be missing. */
  missing: ReadonlySet<string>;
  calendar: boolean;
  extra: ExtraFeatures;
  /** Classes of the target, whose values are then 0 and 1; null for a target of numbers. */
  classes: Classes | null;
  /** Forecast horizon in steps; null without a regular series. */
  horizon: number | null;
  seed: number;
  shouldStop: () => boolean;
};

/** Candidate of the search: a model family with hyperparameters and a feature set. */
export type CandidateSpec = { family: Family; set: FeatureSet; hyperparameters: Hyperparameters };

/** Returns the settings with the penalty that the fit of a linear model found. */
export function withFoundPenalty(settings: Hyperparameters, learner: Learner): Hyperparameters {
  return learner.kind === "linear"
    ? { ...settings, alpha: learner.alpha, l1Ratio: learner.l1Ratio }
    : settings;
}

export type Fitted = {
  pipeline: FeaturePipeline;
  learner: Learner;
  /** 0 if no training target was negative: predictions are then never negative. Otherwise null. */
  floor: 0 | null;
};
