import type { Classification } from "#lib/contract/classification";
import type { InputEffect } from "#lib/contract/input-effects";
import type { StepCoverage } from "#lib/contract/intervals";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import type { Importance, TargetMetric } from "#lib/contract/models";
import type { PanelMetrics } from "#lib/contract/panel-metrics";
import type { TrainModel } from "#lib/contract/train-model";
import type { Warning } from "#lib/contract/warnings";
import type { FeatureStep } from "#lib/engine/features/pipeline";
import type { InputFeature } from "#lib/engine/inference/input-features";
import type { Algorithm, Metrics, ModelFiles } from "#lib/engine/inference/model-files";
import type { ValidationPreview } from "./validation-preview.ts";

/** Summary of a trained or imported model; also the content of metrics.json. */
export type ModelSummary = {
  modelName: string;
  algorithm: Algorithm;
  target: string;
  targetMetric: TargetMetric;
  /** Value of the target metric on the validation rows. */
  primaryMetricValue: number | null;
  trainingMetrics: { train: Metrics | null; validation: Metrics | null; baseline: Metrics | null };
  inputFeatures: InputFeature[];
  /**
   * `rowsBuildOnEachOther`: later rows read the predictions of earlier rows, so that a table is predicted as a whole.
   * `readsTarget`: predictions use known values of the target.
   */
  featureEngineering: {
    version: number;
    steps: FeatureStep[];
    rowsBuildOnEachOther?: boolean;
    readsTarget?: boolean;
  };
  /** Shares with sum 1, the most important feature first. */
  importance: Importance[];
  /** Effects of the numeric inputs; absent for classes and imported models. */
  effects?: InputEffect[];
  /** Absent for classes, quantiles and imported models. */
  predicts?: "mean" | "median";
  validation: ValidationPreview | null;
  /** Present for a target of two classes. */
  classification?: Classification;
  leaderboard: LeaderboardEntry[];
  /** The request with the results of the search: it trains the same kind of model without a search. */
  resolvedRequest?: TrainModel;
  /** Warnings about the data that the model learned from. */
  warnings?: Warning[];
  /** Observed coverage of the 90% prediction interval on rows excluded from its calibration. */
  coverage: number | null;
  coverageBySteps: StepCoverage[];
  trainingRows: number;
  validationRows: number;
  horizon: number | null;
  frequency: string | null;
  /** Errors by series and level; absent for a model of one series. */
  panel?: PanelMetrics;
};

export type FittedModel = { files: ModelFiles; summary: ModelSummary };
