import type { Classes } from "#lib/contract/classes";
import type { DateRule } from "#lib/contract/date-rule";
import type { Hyperparameters } from "#lib/contract/hyperparameters";
import type { Table } from "#lib/contract/table";
import type { ExtraFeatures } from "#lib/engine/features/fit-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { Family, Learner, SingleLearner } from "#lib/engine/inference/learner";
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
  /** Rules of the inputs that follow from the date. */
  dateRules: ReadonlyMap<string, DateRule>;
  /** Grid indexes of target values that series methods treat as gaps (`ignoredCells`). */
  ignored: ReadonlySet<number>;
  /** Rows of a series with inputs whose targets contradict all others (`contradictingRows`): the data lacks them. */
  dropped: readonly DroppedRow[];
  /** Columns whose values can be missing. */
  missing: ReadonlySet<string>;
  calendar: boolean;
  extra: ExtraFeatures;
  /** Classes of the target, whose values are then 0 and 1; null for a target of numbers. */
  classes: Classes | null;
  /** Forecast horizon in steps; null without a regular series. */
  horizon: number | null;
  /** Sign of the effect that the user expects, by numeric input. */
  signs: NonNullable<Hyperparameters["monotone"]>;
  /** Whether the target holds logarithms. */
  isOfLogs: boolean;
  /** The same rows with the logarithms of the target; null if a value has none, and within such a context. */
  ofLogs: CandidateContext | null;
  seed: number;
  shouldStop: () => boolean;
};

/** `number` is the row in the given table, from 1; `time` is in epoch milliseconds. */
export type DroppedRow = { number: number; value: number; time: number };

/** Candidate of the search: a model family with hyperparameters and a feature set. */
export type CandidateSpec = {
  family: Family;
  set: FeatureSet;
  hyperparameters: Hyperparameters;
  /** Whether the candidate learns the logarithms of the target and of inputs that are like prices. */
  logs?: boolean;
  /** For a candidate of logarithms: the factor of `BlendPart`. Defaults to 1, so that predictions are medians. */
  factor?: number;
  /** Parts of a blend; absent for other families. */
  parts?: BlendSpecPart[];
};
export type BlendSpecPart = { weight: number; spec: CandidateSpec };

/** Returns the settings with the penalty that the fit of a linear model found. */
export const foundPenalty = (settings: Hyperparameters, learner: SingleLearner): Hyperparameters =>
  learner.kind === "linear" ? { ...settings, alpha: learner.alpha, l1Ratio: learner.l1Ratio } : settings;

/** Returns the candidate with what its fit found: by default the penalties of linear models. */
export function withFound<T extends CandidateSpec>(spec: T, learner: Learner, found = foundPenalty): T {
  if (learner.kind !== "blend") return { ...spec, hyperparameters: found(spec.hyperparameters, learner) };
  if (!spec.parts) return withFound(spec, learner.parts[0]!.learner, found);
  // A part that did not fit is absent.
  if (spec.parts.length !== learner.parts.length) return spec;
  const parts = spec.parts.map((part, at) => ({
    ...part,
    spec: withFound(part.spec, learner.parts[at]!.learner, found),
  }));
  return { ...spec, parts };
}

export type Fitted = {
  pipeline: FeaturePipeline;
  learner: Learner;
  /** 0 if no training target was negative: predictions are then never negative. Otherwise null. */
  floor: 0 | null;
};
