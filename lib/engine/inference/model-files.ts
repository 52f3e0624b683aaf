import type { GridDefinition } from "#lib/engine/features/grid";
import type { InputBinding } from "#lib/engine/runtime/session";
import type { NaiveForecast } from "#lib/engine/training/baseline";
import type { Family } from "#lib/ml/model/learner";
import type { InputFeature } from "./input-features.ts";

/** A model's artifact: file name → bytes. Whoever stores it adds the manifest. */
export type ModelFiles = Map<string, Uint8Array>;

export type Algorithm = Family | "imported";
export type TargetMetric = "rmse" | "mae" | "mape" | "r2";
export type Metrics = Record<"rmse" | "mae" | "mape" | "r2" | "bias", number | null>;

/** state.json: what the model is and where its series stands. Instants are epoch milliseconds. */
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
  /** Steps ahead that the model was validated on; null without a regular series. */
  horizon: number | null;
  lastTimestamp: number | null;
  /** Time of the last row that the model was fitted on; null without times. Absent in version 1. */
  learnedUntil?: number | null;
  trainingRows: number;
  validationRows: number;
  /** No prediction lies below it; null where there is none. Absent in version 1. */
  floor?: number | null;
  /** The naive forecast that the model was compared with. Absent in version 1. */
  naive?: NaiveForecast;
  /** Optional files that are part of the artifact. */
  files: string[];
  /** For a model from outside: where each feature goes, and which output, and column of it, is the prediction. */
  imported: {
    bindings: InputBinding[];
    output: string | null;
    column?: number | null;
    /** `false`: its cost is bounded, so that it may run in the service's own processes. */
    isGuarded?: boolean;
  } | null;
};

/** schema.json: what the model expects of its input. */
export type ModelSchema = { version: 1; inputFeatures: InputFeature[] };

/** upstream.json: columns that carry another project's predictions. */
export type UpstreamFile = { version: 1; features: { feature: string; sourceProjectId: string }[] };

export function jsonFile(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function readJson<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}
