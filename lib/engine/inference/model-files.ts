import type { Classes } from "#lib/contract/classes";
import type { TARGET_METRICS } from "#lib/contract/metric-names";
import type { GridDefinition } from "#lib/engine/features/grid";
import type { Naive } from "#lib/engine/forecasting/naive-forecast";
import type { ClassMetrics } from "#lib/engine/learners/class-metrics";
import type { RegressionMetrics } from "#lib/engine/learners/metrics";
import type { InputBinding } from "#lib/engine/runtime/session";
import type { InputFeature } from "./input-features.ts";
import type { Family } from "./learner.ts";

/** A forecast without a model: a repeated season, or the mean of the training rows. */
export type NaiveForecast = { seasonal: Naive } | { mean: number };

/** A model's artifact: file name → bytes. The storage layer adds the manifest. */
export type ModelFiles = Map<string, Uint8Array>;

export type Algorithm = Family | "imported";
export type TargetMetric = (typeof TARGET_METRICS)[number];
/** Metrics of a model; those of classes are absent for a target of numbers. */
export type Metrics = RegressionMetrics & Partial<ClassMetrics>;

/** Content of state.json: the model's properties and the position of its series. Instants are epoch milliseconds. */
export type ModelState = {
  /** 1: fitted on the rows before the validation rows, and evaluated by the ONNX runtime. */
  version: 1 | 2;
  modelName: string;
  algorithm: Algorithm;
  target: string;
  targetMetric: TargetMetric;
  timestamp: string | null;
  timezone: string;
  frequency: string | null;
  grid: GridDefinition | null;
  /** Steps ahead for which the model was validated; null without a regular series. */
  horizon: number | null;
  lastTimestamp: number | null;
  /** Time of the last row that the model was fitted on; null without timestamps. Absent in version 1. */
  learnedUntil?: number | null;
  trainingRows: number;
  validationRows: number;
  /** Lower bound of predictions; null if unbounded. Absent in version 1. */
  floor?: number | null;
  /** Classes of the target; absent for a target of numbers. The stored target is then 0 or 1. */
  classes?: Classes;
  /** The naive forecast that the model was compared with. Absent in version 1. */
  naive?: NaiveForecast;
  /** Optional files that are part of the artifact. */
  files: string[];
  /** For an imported model: the position of each feature, and the output (and its column) that holds the prediction. */
  imported: {
    bindings: InputBinding[];
    output: string | null;
    column?: number | null;
    /** `false` if the model's cost is bounded, so that it can run in the service's own processes. */
    isGuarded?: boolean;
  } | null;
};

/** Content of schema.json: the expected input. */
export type ModelSchema = { version: 1; inputFeatures: InputFeature[] };

/** Content of upstream.json: columns that hold predictions of upstream projects. */
export type UpstreamFile = { version: 1; features: { feature: string; sourceProjectId: string }[] };

export function jsonFile(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function readJson<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}
