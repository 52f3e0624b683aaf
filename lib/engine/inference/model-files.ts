import type { ClassMetrics } from "#lib/engine/learners/class-metrics";
import type { RegressionMetrics } from "#lib/engine/learners/metrics";
import type { InputFeature } from "./input-features.ts";
import type { Family } from "./learner.ts";

/** A model's artifact: file name → bytes. The storage layer adds the manifest. */
export type ModelFiles = Map<string, Uint8Array>;

export type Algorithm = Family | "panel" | "imported";
/** Metrics of a model; those of classes are absent for a target of numbers. */
export type Metrics = RegressionMetrics & Partial<ClassMetrics>;

/** Content of schema.json: the expected input. */
export type ModelSchema = { version: 1; inputFeatures: InputFeature[] };

export function jsonFile(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function readJson<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}
