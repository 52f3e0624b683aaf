import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import {
  type CheckpointManifest,
  MANIFEST_HASH_NAME,
  MANIFEST_NAME,
  manifestHashText,
} from "#lib/domain/checkpoints/checkpoint-file";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { readCheckpointFile } from "#lib/domain/checkpoints/read-checkpoint-file";
import { TAR_END, tarHeader, tarPadding } from "#lib/domain/checkpoints/tar";
import { POST as importRoute } from "../app/api/v1/projects/[projectId]/checkpoints/import/route.ts";
import { callRoute, createKey, createProject, testContext } from "./api.ts";
import { createDemandProject } from "./demand-project.ts";
import { createModel } from "./model-factory.ts";
import { createReadyCheckpoint } from "./populated-project.ts";

/** Creates a checkpoint and a key of its project, and exports the checkpoint to a file. */
export async function createExportedCheckpoint() {
  const { id: projectId } = await createProject({ name: "Source" });
  await createModel({ projectId });
  const checkpointId = await createReadyCheckpoint(projectId);
  const source = { projectId, checkpointId, as: await createKey({ projectId }) };
  return { source, file: await buffer((await exportCheckpoint(testContext(), source)).content) };
}

/** Exports a checkpoint of a linear model that this service trained. */
export async function exportDemandCheckpoint(): Promise<Buffer> {
  const { projectId } = await createDemandProject();
  const checkpointId = await createReadyCheckpoint(projectId);
  return buffer((await exportCheckpoint(testContext(), { projectId, checkpointId })).content);
}

/** Creates a project with a key, and functions that import checkpoints into the project. */
export async function createImportTarget() {
  const { id: projectId } = await createProject({ name: "Target" });
  const as = await createKey({ projectId });
  const send = (body: object) =>
    callRoute<{ checkpointId: string; jobId: string }>(importRoute, { params: { projectId }, as, body });
  const sendFile = (bytes: Uint8Array) => send({ fileData: Buffer.from(bytes).toString("base64") });
  return { projectId, as, send, sendFile };
}

type Changes = {
  manifest?: (manifest: CheckpointManifest) => unknown;
  files?: Record<string, Uint8Array>;
};

/** Returns the archive with changed contents and matching hashes, as a careful attacker would write it. */
export async function repacked(
  file: Buffer,
  { manifest: change = (manifest) => manifest, files: changed = {} }: Changes,
): Promise<Buffer> {
  const { manifest, files } = await readCheckpointFile([file], { keep: true });
  for (const [name, bytes] of Object.entries(changed)) {
    files.set(name, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    manifest.files[name] = { bytes: bytes.length, sha256 };
  }
  const text = Buffer.from(JSON.stringify(change(manifest)));
  const entries: [string, Uint8Array][] = [
    [MANIFEST_NAME, text],
    [MANIFEST_HASH_NAME, manifestHashText(text)],
    ...files,
  ];
  const parts = entries.flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length),
    bytes,
    tarPadding(bytes.length),
  ]);
  return Buffer.concat([...parts, TAR_END]);
}
