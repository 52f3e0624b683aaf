import type { FeatureStep } from "#lib/ml/features/pipeline";
import type { InputFeature } from "./input-features.ts";
import type { Algorithm, Metrics, ModelFiles, TargetMetric } from "./model-files.ts";
import type { ValidationPreview } from "./validation-preview.ts";

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
  importance: { feature: string; gain: number }[];
  validation: ValidationPreview | null;
  leaderboard: LeaderboardEntry[];
  /** Observed coverage of the 90 % interval on rows kept back from its calibration. */
  coverage: number | null;
  trainingRows: number;
  validationRows: number;
  horizon: number | null;
  frequency: string | null;
};

export type LeaderboardEntry = {
  name: string;
  algorithm: string;
  features: string;
  chosen: boolean;
  validation: Metrics;
};

export type FittedModel = { files: ModelFiles; summary: ModelSummary };
