import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { limits } from "#lib/contract/limits";
import type { SourceFile } from "#lib/domain/datasets/file-source";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { artifactBytes, artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import type { CheckpointManifest } from "./checkpoint-file.ts";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import type { ImportedSnapshot } from "./reserve-checkpoints.ts";

type Sent = { projectId: string; file: SourceFile; field: "fileData" | "uploadId" };

/**
 * Checks every byte of a checkpoint's file, and that the project depends on the projects whose predictions the model
 * reads. The import job runs the model later.
 *
 * @throws {DomainError} payload_too_large; validation_failed if the file differs from the export; dependency_unknown
 *   with the undeclared projects
 */
export async function checkImport(
  db: Queryable,
  { projectId, file, field }: Sent,
): Promise<ImportedSnapshot & { description: string | null }> {
  if (file.bytes > limits.checkpointFileBytes) {
    const message = `The file has ${file.bytes} bytes. A checkpoint file has at most ${limits.checkpointFileBytes} bytes.`;
    throw issueError("payload_too_large", { field, code: "payload_too_large", message });
  }
  const { model, files, ...manifest } = await readManifest(file, field);
  const stored = { version: 1, files } as const;
  const { trainedAt, ...metadata } = model;
  return {
    label: manifest.label,
    description: manifest.description,
    snapshot: {
      ...metadata,
      artifactBytes: artifactBytes(stored),
      sha256: artifactDigest(stored),
      trainedAt: new Date(trainedAt),
    },
    upstream: await resolveUpstream(db, projectId, { model, ...manifest }),
  };
}

async function readManifest({ open }: SourceFile, field: string): Promise<CheckpointManifest> {
  try {
    return (await readCheckpointFile(await open(), { keep: false })).manifest;
  } catch (error) {
    if (!(error instanceof ModelInvalid)) throw error;
    const { message } = error;
    throw issueError("validation_failed", { field, code: "checkpoint_file_invalid", message }, error);
  }
}

/** Returns the pinned upstream checkpoints that exist here. Ids of another service match nothing. */
async function resolveUpstream(
  db: Queryable,
  projectId: string,
  { model, dependentProjectCheckpoints }: Pick<CheckpointManifest, "model" | "dependentProjectCheckpoints">,
): Promise<Record<string, string>> {
  const sources = model.inputFeatures.filter(({ role }) => role === "upstream");
  const used = Object.entries(dependentProjectCheckpoints);
  if (sources.length === 0 && used.length === 0) return {};
  const graph = (await dependencyGraph(db, projectId)).slice(0, -1);
  const known = new Set(graph.map((node) => node.projectId));
  const undeclared = sources.filter(({ sourceProjectId: id }) => id === null || !known.has(id));
  if (undeclared.length > 0) {
    const details = undeclared.map(({ name, sourceProjectId: id }) => ({
      ...(id !== null && { id }),
      column: name,
      code: "dependency_unknown",
      message: `"${name}" is the prediction of ${id === null ? "an unnamed project" : `the project ${id}`}, which this project does not depend on.`,
    }));
    const message =
      "The checkpoint's model takes predictions of projects that this project does not depend on: declare the dependencies first. For a checkpoint from another service, the upstream projects must have the same IDs here.";
    throw new DomainError("dependency_unknown", message, { details });
  }
  const present: Record<string, string> = {};
  for (const [upstreamId, checkpointId] of used) {
    if (!known.has(upstreamId)) continue;
    const [row] = await db
      .select({ id: checkpoints.id })
      .from(checkpoints)
      .where(
        and(
          eq(checkpoints.projectId, upstreamId),
          eq(checkpoints.id, checkpointId),
          eq(checkpoints.state, "ready"),
        ),
      );
    if (row) present[upstreamId] = row.id;
  }
  return present;
}
