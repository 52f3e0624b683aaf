import type { Classification } from "#lib/contract/classification";
import type { StepCoverage } from "#lib/contract/intervals";
import type { FeatureStep } from "#lib/engine/features/pipeline";
import type { InputFeature } from "#lib/engine/inference/input-features";
import type { Algorithm, Metrics, ModelFiles, TargetMetric } from "#lib/engine/inference/model-files";
import type { FeatureImportance } from "#lib/engine/inference/row-predictor";
import type { TrainRequest } from "./train-request.ts";
import type { ValidationPreview } from "./validation-preview.ts";

/**
 * Forecast mode of a model. Lags shorter than the horizon read the model's own predictions; longer lags read
 * observations.
 */
export type ForecastMode = "recursive" | "direct" | "independent";

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
  importance: FeatureImportance[];
  validation: ValidationPreview | null;
  /** Present for a target of two classes. */
  classification?: Classification;
  leaderboard: LeaderboardEntry[];
  /** The request with the results of the search: it trains the same kind of model without a search. */
  resolvedRequest?: TrainRequest;
  /** Observed coverage of the 90% prediction interval on rows excluded from its calibration. */
  coverage: number | null;
  coverageBySteps: StepCoverage[];
  trainingRows: number;
  validationRows: number;
  horizon: number | null;
  frequency: string | null;
};

/** One candidate of the search. Models from before back-tests were stored lack the optional fields. */
export type LeaderboardEntry = {
  name: string;
  algorithm: string;
  features: string;
  chosen: boolean;
  /** Settings that were found or chosen; omitted settings have their defaults. */
  settings?: Record<string, number | boolean | string>;
  mode?: ForecastMode;
  /** Forecast horizon of the candidate in steps. */
  horizon?: number | null;
  /** Rung of the search that the candidate reached: 1 features, 2 settings, 3 families; 0 without a search. */
  rung?: number;
  /** Target metric by fold, the latest last, in the last rung that the candidate reached. */
  backTest?: {
    metric: TargetMetric | "pinball";
    folds: (number | null)[];
    mean: number | null;
    spread: number | null;
  } | null;
  /** Members of a combination. */
  members?: LeaderboardMember[];
  /** Metrics on the validation rows; null for candidates that were not fully trained. */
  validation: Metrics | null;
  /** Time spent on the candidate. */
  seconds?: number;
};

/**
 * Member of a combination. `weight`: mean weight in the median of the next `horizon` steps. `error`: target metric of
 * the member alone on the validation rows, null if unknown.
 */
export type LeaderboardMember = { name: string; weight: number; error: number | null };

export type FittedModel = { files: ModelFiles; summary: ModelSummary };
