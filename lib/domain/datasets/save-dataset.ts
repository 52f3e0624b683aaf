import { datasets } from "#db/schema/datasets";
import type { DatasetChange } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import { lockProject } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import { type ReleaseClaim, writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { changesBetween } from "#lib/platform/audit/changes-between";
import type { AuditAction } from "#lib/platform/audit/event-of-action";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { audited } from "./audited.ts";
import { currentDataset, type DatasetRow, requireDataset } from "./current-dataset.ts";
import type { StoredDataset } from "./dataset-table.ts";
import { deleteOldVersions } from "./delete-old-versions.ts";
import { markUploadUsed } from "./mark-upload-used.ts";
import { presentDataset } from "./present.ts";
import type { DatasetSettings } from "./settings.ts";
import { requireVersion } from "./version-changes.ts";

type NewDataset = {
  projectId: string;
  fileName: string | null;
  /** The upload that `make` reads. */
  uploadId?: string | undefined;
  settings: DatasetSettings;
  change: DatasetChange;
  /** Writes rows into a folder of the artifact store, unless earlier versions have stored them all. */
  make: (artifactKey: string) => Promise<StoredDataset>;
  /** The version whose rows this one has again. If it was deleted meanwhile, its rows are gone. */
  restoredId?: string;
  /** The version that this one continues. If a newer version exists, nothing is saved. */
  after?: DatasetRow;
};

/** Names of the changes in the audit log. */
const actions = {
  replaced: "dataset.replaced",
  appended: "dataset.appended",
  settings: "dataset.updated",
  restored: "dataset.restored",
  corrected: "dataset.corrected",
} as const satisfies Record<DatasetChange, AuditAction>;

/**
 * Saves a new version; returns null if `after` is no longer the current version.
 *
 * @throws {DomainError} project_not_found, upload_not_found, version_not_found, precondition_failed, quota_exceeded
 */
export async function saveDataset(ctx: Context, dataset: NewDataset): Promise<Dataset | null> {
  const { projectId, make } = dataset;
  const id = newId();
  const artifactKey = `projects/${projectId}/datasets/${id}`;
  try {
    return await writeArtifacts(ctx.db, [artifactKey], async (releaseClaim) => {
      const stored = await make(artifactKey);
      return insertVersion(ctx, { ...dataset, stored, id, releaseClaim });
    });
  } catch (error) {
    if (error instanceof Overtaken) return null;
    throw error;
  }
}

/**
 * Saves a version that continues the current one. If another request saves a version meanwhile, continues that one.
 *
 * @param next returns the new version of a dataset
 * @throws {DomainError} dataset_not_found
 */
export async function continueDataset(
  ctx: Context,
  projectId: string,
  next: (current: DatasetRow) => Next | Promise<Next>,
): Promise<Dataset> {
  for (;;) {
    const current = await requireDataset(ctx.db, projectId);
    const { fileName } = current;
    const saved = await saveDataset(ctx, { projectId, fileName, after: current, ...(await next(current)) });
    if (saved !== null) return saved;
  }
}

type Next = Pick<NewDataset, "settings" | "change" | "make" | "uploadId" | "restoredId"> & {
  fileName?: string | null;
};

/** Another request saved a version first. */
class Overtaken extends Error {}

function insertVersion(
  ctx: Context,
  {
    projectId,
    fileName,
    uploadId,
    settings,
    change,
    stored,
    restoredId,
    after,
    id,
    releaseClaim,
  }: NewDataset & { stored: StoredDataset; id: string; releaseClaim: ReleaseClaim },
): Promise<Dataset> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const current = await currentDataset(tx, projectId);
    await requireIfMatch(ctx, async () => current && presentDataset(current));
    if (after && current?.id !== after.id) throw new Overtaken();
    if (restoredId !== undefined) await requireVersion(tx, { projectId, versionId: restoredId });
    await releaseClaim(tx);
    const { dateOrder: _, reading: __, ...asked } = settings;
    const { reading, ...found } = stored;
    const { columns, warnings, dateOrder, monthDay, lastTargetTimestamp, plannedRows, series } = found;
    const { rowCount, frequency, firstTimestamp, lastTimestamp, parts } = found;
    const [row] = await tx
      .insert(datasets)
      .values({
        id,
        projectId,
        version: (current?.version ?? 0) + 1,
        fileName,
        ...asked,
        timestampColumns: stored.timestampColumns ?? asked.timestampColumns,
        reading,
        rowCount,
        frequency,
        firstTimestamp: firstTimestamp === null ? null : new Date(firstTimestamp),
        lastTimestamp: lastTimestamp === null ? null : new Date(lastTimestamp),
        profile: { columns, warnings, dateOrder, monthDay, lastTargetTimestamp, plannedRows, series },
        change,
        parts,
        createdBy: ctx.actor.userId,
      })
      .returning();
    await deleteOldVersions(tx, projectId);
    if (uploadId !== undefined) await markUploadUsed(tx, { projectId, uploadId });
    await requireSpace(tx, projectId);
    await recordChange(tx, ctx, actions[change], {
      projectId,
      entityId: id,
      label: fileName,
      changes: [
        ...(stored.corrections ?? []),
        ...changesBetween(current === null ? {} : audited(current), audited(row!)),
      ].slice(0, limits.auditedChanges),
    });
    return storeIdempotentResponse(tx, ctx, presentDataset(row!));
  });
}
