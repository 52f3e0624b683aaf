import type { Database } from "#db/client";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import type { Manifest, ManifestEntry } from "#lib/platform/storage/artifact-store";
import { readVerified } from "#lib/platform/storage/copy-folder";
import { ArtifactDamagedError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import {
  type CheckpointManifest,
  ENGINE_VERSION,
  MANIFEST_HASH_NAME,
  MANIFEST_NAME,
  manifestHashText,
} from "./checkpoint-file.ts";
import {
  type CheckpointRef,
  type CheckpointRow,
  findCheckpoint,
  upstreamCheckpointsOf,
} from "./find-checkpoint.ts";
import { TAR_END, tarBytes, tarHeader, tarPadding } from "./tar.ts";

/** A checkpoint as one file. The size is known before the content is read. */
type CheckpointExport = { folderName: string; bytes: number; content: AsyncGenerator<Uint8Array> };

/**
 * Exports a checkpoint as one file, which another project or service can import. A checkpoint gives the same bytes
 * until its label or description changes.
 *
 * @throws {DomainError} checkpoint_not_found
 * @throws {ArtifactDamagedError} also while the content is read, which ends the stream
 */
export async function exportCheckpoint(
  { db }: { db: Database },
  ref: CheckpointRef,
): Promise<CheckpointExport> {
  const row = await findCheckpoint(db, ref);
  const stored = await store().readManifest(row.artifactKey);
  if (artifactDigest(stored) !== row.sha256) throw new ArtifactDamagedError(row.artifactKey, "the folder");
  const manifest = Buffer.from(`${JSON.stringify(await manifestOf(db, row, stored), null, 2)}\n`);
  const hash = manifestHashText(manifest);
  const sizes = Object.values(stored.files).map(({ bytes }) => bytes);
  return {
    folderName: row.folderName,
    bytes: tarBytes([manifest.length, hash.length, ...sizes]),
    content: pack(row.artifactKey, [
      [MANIFEST_NAME, manifest],
      [MANIFEST_HASH_NAME, hash],
      ...Object.entries(stored.files),
    ]),
  };
}

async function manifestOf(db: Database, row: CheckpointRow, stored: Manifest): Promise<CheckpointManifest> {
  const { modelName, algorithm, target, targetMetric, primaryMetricValue, trainingMetrics } = row;
  return {
    format: "prediction-checkpoint",
    version: 1,
    engine: ENGINE_VERSION,
    label: row.label,
    description: row.description,
    model: {
      modelName,
      algorithm,
      target,
      targetMetric,
      primaryMetricValue,
      trainingMetrics,
      inputFeatures: row.inputFeatures,
      featureEngineering: row.featureEngineering,
      modelFormat: "onnx",
      trainedAt: row.trainedAt.toISOString(),
      trainingRows: row.trainingRows,
    },
    dependentProjectCheckpoints: await upstreamCheckpointsOf(db, row.id),
    files: stored.files,
  };
}

/** @param files name → content, or the store's manifest entry */
async function* pack(
  artifactKey: string,
  files: [name: string, content: Uint8Array | ManifestEntry][],
): AsyncGenerator<Uint8Array> {
  for (const [name, file] of files) {
    const bytes = file instanceof Uint8Array ? file.length : file.bytes;
    yield tarHeader(name, bytes);
    if (file instanceof Uint8Array) yield file;
    else yield* readVerified({ store: store(), key: artifactKey }, name, file.sha256);
    yield tarPadding(bytes);
  }
  yield TAR_END;
}
