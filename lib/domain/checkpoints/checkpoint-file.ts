import { createHash } from "node:crypto";
import { z } from "zod";
import { Id, Instant } from "#lib/contract/common";
import { FeatureEngineering, InputFeature, TrainingMetrics } from "#lib/contract/models";

/**
 * Of the models that this service makes: raised when their files may hold what an older service would misunderstand. A
 * checkpoint of a newer one is refused.
 */
export const ENGINE_VERSION = 2;

export const MANIFEST_NAME = "MANIFEST.json";
/** Holds the manifest's own hash, as `sha256sum -c` reads it. */
export const MANIFEST_HASH_NAME = "MANIFEST.sha256";

/** Without these no model can be opened. */
export const requiredFiles = [
  "model.onnx",
  "state.json",
  "schema.json",
  "features.json",
  "metrics.json",
  "calibration.json",
  "upstream.json",
] as const;

const FileName = z.string().regex(/^[a-z][a-z0-9_-]{0,40}\.(json|bin|onnx)$/);
const FileEntry = z.strictObject({
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What a checkpoint tells of its model, as the service's records have it. */
export const CheckpointSnapshot = z.strictObject({
  modelName: z.string().min(1).max(200),
  algorithm: z.string().min(1).max(100),
  target: z.string().min(1).max(1_000),
  targetMetric: z.string().min(1).max(100),
  primaryMetricValue: z.number().nullable(),
  trainingMetrics: z.looseObject(TrainingMetrics.shape),
  // What models tell of features beyond the wire's fields is kept.
  inputFeatures: z.array(z.looseObject(InputFeature.shape)).max(20_000),
  featureEngineering: FeatureEngineering,
  modelFormat: z.literal("onnx"),
  trainedAt: Instant,
  trainingRows: z.number().int().min(0),
});
export type CheckpointSnapshot = z.infer<typeof CheckpointSnapshot>;

/** Read first of all of a manifest: what follows depends on it. */
export const ManifestVersion = z.looseObject({
  format: z.literal("prediction-checkpoint"),
  version: z.number().int(),
  engine: z.number().int(),
});

/** MANIFEST.json, the first file of a checkpoint's archive. */
export const CheckpointManifest = z.strictObject({
  format: z.literal("prediction-checkpoint"),
  version: z.literal(1),
  engine: z.number().int(),
  label: z.string().min(2).max(100),
  description: z.string().max(2_000).nullable(),
  model: CheckpointSnapshot,
  /** Dependent project → the checkpoint of it that this one was used with. */
  dependentProjectCheckpoints: z.record(Id, Id),
  /** In the order of the archive. */
  files: z.record(FileName, FileEntry),
});
export type CheckpointManifest = z.infer<typeof CheckpointManifest>;

export function manifestHashText(manifest: Uint8Array): Uint8Array {
  return new TextEncoder().encode(
    `${createHash("sha256").update(manifest).digest("hex")}  ${MANIFEST_NAME}\n`,
  );
}
