import { and, eq, lt } from "drizzle-orm";
import { datasets } from "#db/schema/datasets";
import type { Dataset } from "#lib/contract/datasets";
import { lockProject } from "#lib/domain/projects/lock-project";
import { type ReleaseClaim, writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { currentDataset, type DatasetRow, requireDataset } from "./current-dataset.ts";
import type { StoredDataset } from "./dataset-table.ts";
import { presentDataset } from "./present.ts";
import type { DatasetSettings } from "./settings.ts";

type NewDataset = {
  projectId: string;
  fileName: string | null;
  settings: DatasetSettings;
  /** Name of the change in the audit log. */
  action: "dataset.replaced" | "dataset.appended" | "dataset.updated";
  /** Writes the columns into a folder of the artifact store. */
  make: (artifactKey: string) => Promise<StoredDataset>;
  /** The version that this one continues. If a newer version exists, nothing is saved. */
  after?: DatasetRow;
};

/** Saves a new version; returns null if `after` is no longer the current version. */
export async function saveDataset(ctx: Context, dataset: NewDataset): Promise<Dataset | null> {
  const { projectId, make } = dataset;
  const id = newId();
  const artifactKey = `projects/${projectId}/datasets/${id}`;
  try {
    return await writeArtifacts(ctx.db, [artifactKey], async (releaseClaim) => {
      const stored = await make(artifactKey);
      return insertVersion(ctx, { ...dataset, stored, id, artifactKey, releaseClaim });
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
  next: (current: DatasetRow) => Pick<NewDataset, "settings" | "action" | "make">,
): Promise<Dataset> {
  for (;;) {
    const current = await requireDataset(ctx.db, projectId);
    const { fileName } = current;
    const saved = await saveDataset(ctx, { projectId, fileName, after: current, ...next(current) });
    if (saved !== null) return saved;
  }
}

/** Another request saved a version first. */
class Overtaken extends Error {}

function insertVersion(
  ctx: Context,
  {
    projectId,
    fileName,
    settings,
    action,
    stored,
    after,
    id,
    artifactKey,
    releaseClaim,
  }: NewDataset & { stored: StoredDataset; id: string; artifactKey: string; releaseClaim: ReleaseClaim },
): Promise<Dataset> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const current = await currentDataset(tx, projectId);
    await requireIfMatch(ctx, async () => current && presentDataset(current));
    if (after && current?.id !== after.id) throw new Overtaken();
    await releaseClaim(tx);
    const { dateOrder: _, ...asked } = settings;
    const { columns, warnings, dateOrder, monthDay, ...found } = stored;
    const { rowCount, frequency, firstTimestamp, lastTimestamp } = found;
    const [row] = await tx
      .insert(datasets)
      .values({
        id,
        projectId,
        version: (current?.version ?? 0) + 1,
        fileName,
        ...asked,
        rowCount,
        frequency,
        firstTimestamp: firstTimestamp === null ? null : new Date(firstTimestamp),
        lastTimestamp: lastTimestamp === null ? null : new Date(lastTimestamp),
        profile: { columns, warnings, dateOrder, monthDay },
        artifactKey,
        createdBy: ctx.actor.userId,
      })
      .returning();
    // The previous version stays for requests that are still reading it.
    await tx
      .delete(datasets)
      .where(and(eq(datasets.projectId, projectId), lt(datasets.version, current?.version ?? 0)));
    await recordAudit(tx, ctx, action, { projectId, entityId: id, label: fileName });
    return storeIdempotentResponse(tx, ctx, presentDataset(row!));
  });
}
