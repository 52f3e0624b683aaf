import { createHash } from "node:crypto";
import { z } from "zod";
import { Label } from "#lib/contract/checkpoints";
import { Description, Id, Instant } from "#lib/contract/common";
import { FeatureEngineering, InputFeature, TrainingMetrics } from "#lib/contract/models";
import { visibleLine } from "#lib/contract/visible-line";

/**
 * Version of the model format. Increase it when an older service would misread a new file. Checkpoints of a newer
 * version are rejected.
 */
export const ENGINE_VERSION = 4;

export const MANIFEST_NAME = "MANIFEST.json";
/** Name of the file with the manifest's hash, in the format of `sha256sum -c`. */
export const MANIFEST_HASH_NAME = "MANIFEST.sha256";

/** Files without which no model can be opened. */
export const requiredFiles = [
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

/** Model metadata of a checkpoint, in the form of the service's records. */
const CheckpointSnapshot = z.strictObject({
  modelName: visibleLine(1, 200),
  algorithm: z.string().min(1).max(100),
  target: z.string().min(1).max(1_000),
  targetMetric: z.string().min(1).max(100),
  primaryMetricValue: z.number().nullable(),
  trainingMetrics: z.strictObject(TrainingMetrics.shape),
  // Feature fields beyond the API's are kept.
  inputFeatures: z.array(z.looseObject(InputFeature.shape)).max(20_000),
  featureEngineering: FeatureEngineering,
  modelFormat: z.literal("onnx"),
  trainedAt: Instant,
  trainingRows: z.number().int().min(0).max(2_147_483_647),
});

/** Read before the rest of the manifest, whose schema depends on the version. */
export const ManifestVersion = z.looseObject({
  format: z.literal("prediction-checkpoint"),
  version: z.number().int(),
  engine: z.number().int(),
});

/** Schema of MANIFEST.json, the first file of a checkpoint's archive. */
export const CheckpointManifest = z.strictObject({
  format: z.literal("prediction-checkpoint"),
  version: z.literal(1),
  engine: z.number().int(),
  label: Label,
  description: Description.nullable(),
  model: CheckpointSnapshot,
  /** Upstream project → pinned checkpoint of that project. */
  dependentProjectCheckpoints: z.record(Id, Id),
  /** In archive order. */
  files: z.record(FileName, FileEntry),
});
export type CheckpointManifest = z.infer<typeof CheckpointManifest>;

export function manifestHashText(manifest: Uint8Array): Uint8Array {
  return new TextEncoder().encode(
    `${createHash("sha256").update(manifest).digest("hex")}  ${MANIFEST_NAME}\n`,
  );
}
