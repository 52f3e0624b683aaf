import { inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { models } from "#db/schema/models";
import { generateLabel, importedLabel } from "#lib/contract/checkpoint-label";
import { findModel } from "#lib/domain/models/find-model";
import { type LockedProject, lockProjectsWithSlots } from "#lib/domain/projects/lock-projects-with-slots";
import { requireSpace } from "#lib/domain/projects/space";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import {
  checkpointLimitReachedError,
  dependencyHasNoModelError,
  duplicateLabelError,
  noTrainedModelError,
} from "./checkpoint-errors.ts";
import { folderNameOf, freeSlot } from "./new-checkpoint.ts";

export type CheckpointRequest = {
  projectId: string;
  /** Snapshot of an imported checkpoint file. */
  imported?: ImportedSnapshot;
  /** Model of the project; if this and `imported` are omitted, the current model is saved. */
  modelId?: string | undefined;
  /**
   * Trimmed, 2–100 characters; if omitted, the file's label, or one generated from the project's name and the date.
   */
  label?: string | null;
  /** Name of the request field that holds the label; default `label`. */
  labelField?: string;
  description?: string | null;
  setAsDefault?: boolean;
  /** Links the checkpoint to a main one: the first request's (`"main"`), or an existing checkpoint's id. */
  mainCheckpoint?: "main" | (string & {});
  /** Upstream project → pinned checkpoint; null: the checkpoint reserved in the same call. */
  upstreamCheckpoints?: Readonly<Record<string, string | null>>;
};

type ReservedCheckpoint = { id: string; projectId: string; label: string };

/** Snapshot of an imported checkpoint file, and the pinned checkpoints here: project → checkpoint. */
export type ImportedSnapshot = {
  label: string;
  snapshot: Omit<Snapshot, "modelId">;
  upstream: Readonly<Record<string, string>>;
};

type Model = typeof models.$inferSelect;
type Snapshot = ReturnType<typeof snapshotOf>;

/**
 * Reserves checkpoints of the projects' models or of files, either all or none. Each holds its label and one
 * of its project's 20 slots, and becomes visible when it is published. The projects' rows stay locked until the
 * transaction ends.
 *
 * @param requests main request first
 * @throws {DomainError} project_not_found, model_not_found, no_trained_model, dependency_has_no_model,
 *   checkpoint_limit_reached, duplicate_label, quota_exceeded
 */
export async function reserveCheckpoints(
  tx: Transaction,
  ctx: Pick<Context, "actor">,
  requests: readonly CheckpointRequest[],
): Promise<ReservedCheckpoint[]> {
  const locked = await lockProjectsWithSlots(tx, [...new Set(requests.map(({ projectId }) => projectId))]);
  const modelOf = await requireModels(tx, requests, locked);
  requireSlots(requests, locked);
  const mainId = newId();
  const reserved: ReservedCheckpoint[] = [];
  for (const request of requests) {
    const { projectId, mainCheckpoint } = request;
    const project = locked.get(projectId)!;
    const id = reserved.length === 0 ? mainId : newId();
    const place = takePlace(project, request);
    await tx.insert(checkpoints).values({
      ...(request.imported?.snapshot ?? snapshotOf(modelOf.get(projectId)!)),
      ...place,
      id,
      projectId,
      description: request.description ?? null,
      state: "reserved",
      setAsDefault: request.setAsDefault ?? false,
      linkedCheckpointId: mainCheckpoint === "main" ? mainId : (mainCheckpoint ?? null),
      // The id keeps the key unique: a late attempt cannot write into a later checkpoint with the same folder name.
      artifactKey: `projects/${projectId}/checkpoints/${place.folderName}/${id}`,
      createdAt: sql`clock_timestamp()`,
      createdBy: ctx.actor.userId,
    });
    reserved.push({ id, projectId, label: place.label });
  }
  await recordDependencies(tx, requests, reserved, modelOf);
  for (const projectId of locked.keys()) await requireSpace(tx, projectId);
  return reserved;
}

async function requireModels(
  tx: Transaction,
  requests: readonly CheckpointRequest[],
  locked: ReadonlyMap<string, LockedProject>,
): Promise<Map<string, Model>> {
  const ids = [...locked.values()].flatMap(({ currentModelId }) => currentModelId ?? []);
  const current = await tx.select().from(models).where(inArray(models.id, ids));
  const modelOf = new Map(current.map((model) => [model.projectId, model]));
  for (const { projectId, modelId } of requests) {
    if (modelId !== undefined) modelOf.set(projectId, await findModel(tx, { projectId, modelId }));
  }
  const without = requests.filter(({ projectId, imported }) => !imported && !modelOf.has(projectId));
  const main = without.find(({ mainCheckpoint }) => mainCheckpoint === undefined);
  if (main !== undefined) throw noTrainedModelError(named(main, locked));
  if (without.length > 0) {
    throw dependencyHasNoModelError(without.map((request) => named(request, locked)));
  }
  return modelOf;
}

const named = ({ projectId: id }: CheckpointRequest, locked: ReadonlyMap<string, LockedProject>) => ({
  id,
  name: locked.get(id)!.name,
});

function requireSlots(
  requests: readonly CheckpointRequest[],
  locked: ReadonlyMap<string, LockedProject>,
): void {
  const full = requests.filter(({ projectId }) => freeSlot(locked.get(projectId)!.slots) === null);
  if (full.length === 0) return;
  throw checkpointLimitReachedError(
    full.map((request) => ({ ...named(request, locked), isUpstream: request.mainCheckpoint !== undefined })),
  );
}

/** Takes a slot, a label and a folder name in the project, which the caller has locked. */
function takePlace(
  project: LockedProject,
  { label: wish, labelField = "label", imported }: CheckpointRequest,
) {
  const slot = freeSlot(project.slots)!;
  const label =
    wish ??
    (imported
      ? importedLabel(imported.label, project.labels)
      : generateLabel(project.name, new Date(), project.labels));
  if (project.labels.has(label)) throw duplicateLabelError(label, labelField);
  const folderName = folderNameOf(label, project.folders);
  project.slots.add(slot);
  project.labels.add(label);
  project.folders.add(folderName);
  return { slot, label, folderName };
}

/** Returns the model fields that a checkpoint stores. */
function snapshotOf(model: Model) {
  return {
    modelId: model.id,
    modelName: model.modelName,
    algorithm: model.algorithm,
    target: model.target,
    targetMetric: model.targetMetric,
    primaryMetricValue: model.primaryMetricValue,
    trainingMetrics: model.trainingMetrics,
    inputFeatures: model.inputFeatures,
    featureEngineering: model.featureEngineering,
    modelFormat: model.modelFormat,
    artifactBytes: model.artifactBytes,
    sha256: model.sha256,
    trainedAt: model.trainedAt,
    trainingRows: model.trainingRows,
  };
}

/** Records the model's upstream checkpoints, overridden by the requested ones. */
async function recordDependencies(
  tx: Transaction,
  requests: readonly CheckpointRequest[],
  reserved: readonly ReservedCheckpoint[],
  modelOf: ReadonlyMap<string, Model>,
): Promise<void> {
  const reservedOf = new Map(reserved.map((one) => [one.projectId, one.id]));
  const rows = reserved.flatMap(({ id, projectId }, index) => {
    const upstream: Record<string, string | null> = {
      ...(requests[index]!.imported ?? modelOf.get(projectId)!).upstream,
      ...requests[index]!.upstreamCheckpoints,
    };
    return Object.entries(upstream).map(([upstreamProjectId, given]) => ({
      checkpointId: id,
      upstreamProjectId,
      upstreamCheckpointId: given ?? reservedOf.get(upstreamProjectId)!,
    }));
  });
  if (rows.length > 0) await tx.insert(checkpointDependencies).values(rows);
}
