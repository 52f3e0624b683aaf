import type { FeatureStep } from "#lib/engine/features/pipeline";
import type { InputFeature } from "#lib/engine/inference/input-features";
import type { Algorithm, Metrics, ModelFiles, TargetMetric } from "#lib/engine/inference/model-files";
import type { TrainRequest } from "./train-request.ts";
import type { ValidationPreview } from "./validation-preview.ts";

/** How a model forecasts: lags shorter than the horizon are fed its own predictions, longer ones observations. */
export type ForecastMode = "recursive" | "direct" | "independent";

/** What is told of a trained or imported model; also in its metrics.json. */
export type ModelSummary = {
  modelName: string;
  algorithm: Algorithm;
  target: string;
  targetMetric: TargetMetric;
  /** The target metric on the validation rows. */
  primaryMetricValue: number | null;
  trainingMetrics: { train: Metrics | null; validation: Metrics | null; baseline: Metrics | null };
  inputFeatures: InputFeature[];
  featureEngineering: { version: number; steps: FeatureStep[] };
  /** Parts of 1, the most important first. */
  importance: { feature: string; gain: number; permutation?: number }[];
  validation: ValidationPreview | null;
  leaderboard: LeaderboardEntry[];
  /** The request with what the search found put in: it trains the same kind of model without searching again. */
  resolvedRequest?: TrainRequest;
  /** Observed coverage of the 90 % interval on rows kept back from its calibration. */
  coverage: number | null;
  trainingRows: number;
  validationRows: number;
  horizon: number | null;
  frequency: string | null;
};

/** One thing that was tried. Models from before back-tests were kept have none of the optional fields. */
export type LeaderboardEntry = {
  name: string;
  algorithm: string;
  features: string;
  chosen: boolean;
  /** What was found or chosen; a setting that is not here has its default. */
  settings?: Record<string, number | boolean | string>;
  mode?: ForecastMode;
  /** Steps ahead that it was tried for. */
  horizon?: number | null;
  /** How far it came in the search: 1 features, 2 settings, 3 families; 0 without a search. */
  rung?: number;
  /** The target metric by fold, the latest last, in the last rung that it reached. */
  backTest?: {
    metric: TargetMetric | "pinball";
    folds: (number | null)[];
    mean: number | null;
    spread: number | null;
  } | null;
  /** Only what was trained to the end is measured on the validation rows. */
  validation: Metrics | null;
  /** Spent on it. */
  seconds?: number;
};

export type FittedModel = { files: ModelFiles; summary: ModelSummary };
