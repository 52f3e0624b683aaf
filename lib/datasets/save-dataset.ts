import { and, eq, lt } from "drizzle-orm";
import { datasets } from "#db/schema/datasets";
import { recordAudit } from "#lib/audit/record-audit";
import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import { requireMatch } from "#lib/context/require-match";
import type { Dataset } from "#lib/contract/datasets";
import { DomainError } from "#lib/errors/domain-error";
import { idTime, newId } from "#lib/ids/new-id";
import { holdProject } from "#lib/projects/hold-project";
import { store } from "#lib/storage/store";
import { currentDataset, type DatasetRow } from "./current-dataset.ts";
import type { DatasetProfile } from "./dataset-profile.ts";
import type { StoredDataset } from "./dataset-table.ts";
import { presentDataset } from "./present.ts";
import type { DatasetSettings } from "./settings.ts";

export type NewDataset = {
  projectId: string;
  fileName: string | null;
  settings: DatasetSettings;
  /** Puts the columns into a folder of the artifact store. */
  make: (artifactKey: string) => Promise<StoredDataset>;
  /** The version that this one continues: where another came between, nothing is saved. */
  after?: DatasetRow;
};

/** Saves a new version, or returns null where `after` is no longer the current one. */
export async function saveDataset(ctx: Context, dataset: NewDataset): Promise<Dataset | null> {
  const { projectId, make } = dataset;
  const id = newId();
  const artifactKey = `${folderOf(projectId)}/${id}`;
  const stored = await make(artifactKey).catch(async (error: unknown) => {
    await store().deleteFolder(artifactKey);
    throw error;
  });
  const version = { ...dataset, stored, id, artifactKey };
  const saved = await insertVersion(ctx, version).catch(async (error: unknown) => {
    // Of any other error nobody knows whether the commit has held.
    if (error instanceof DomainError) await store().deleteFolder(artifactKey);
    throw error;
  });
  if (saved === null) {
    await store().deleteFolder(artifactKey);
    return null;
  }
  await removeAbandoned(ctx, projectId, saved.removed);
  return saved.dataset;
}

function insertVersion(
  ctx: Context,
  {
    projectId,
    fileName,
    settings,
    stored,
    after,
    id,
    artifactKey,
  }: NewDataset & { stored: StoredDataset; id: string; artifactKey: string },
): Promise<{ dataset: Dataset; removed: string[] } | null> {
  return ctx.db.transaction(async (tx) => {
    await holdProject(tx, projectId);
    const current = await currentDataset(tx, projectId);
    await requireMatch(ctx, async () => current && presentDataset(current));
    if (after && current?.id !== after.id) return null;
    const { dateOrder: _, ...asked } = settings;
    const { columns, warnings, dateOrder, rowCount, frequency, firstTimestamp, lastTimestamp } = stored;
    const profile: DatasetProfile = { columns, warnings, dateOrder };
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
        profile,
        artifactKey,
        createdBy: ctx.actor.userId,
      })
      .returning();
    // The version before stays, for who has just begun to read it.
    const removed = await tx
      .delete(datasets)
      .where(and(eq(datasets.projectId, projectId), lt(datasets.version, current?.version ?? 0)))
      .returning({ artifactKey: datasets.artifactKey });
    await recordAudit(tx, ctx, {
      projectId,
      action: after ? "dataset.appended" : "dataset.replaced",
      entityType: "dataset",
      entityId: id,
      label: fileName,
    });
    const saved = await keepAnswer(tx, ctx, presentDataset(row!));
    return { dataset: saved, removed: removed.map((version) => version.artifactKey) };
  });
}

/** A folder without a row may belong to a request that is still saving; an older one does not. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Removes the folders of versions that are gone, and of those whose saving a crash cut off. */
async function removeAbandoned(ctx: Context, projectId: string, removed: readonly string[]): Promise<void> {
  for (const key of removed) await store().deleteFolder(key);
  const rows = await ctx.db
    .select({ artifactKey: datasets.artifactKey })
    .from(datasets)
    .where(eq(datasets.projectId, projectId));
  const known = new Set(rows.map(({ artifactKey }) => artifactKey));
  for (const key of await store().listFolders(folderOf(projectId))) {
    const made = idTime(key.slice(key.lastIndexOf("/") + 1));
    if (!known.has(key) && Date.now() - made > ABANDONED_AFTER_MS) await store().deleteFolder(key);
  }
}

function folderOf(projectId: string): string {
  return `projects/${projectId}/datasets`;
}
