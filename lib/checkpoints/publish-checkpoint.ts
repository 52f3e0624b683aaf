import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { models } from "#db/schema/models";
import { faultPoint } from "#lib/jobs/fault-point";
import type { JobRun } from "#lib/jobs/job-run";
import { artifactDigest } from "#lib/models/artifact-digest";
import { publishEvent } from "#lib/realtime/publish-event";
import type { Manifest } from "#lib/storage/artifact-store";
import { copyFolder } from "#lib/storage/copy-folder";
import { ArtifactDamagedError } from "#lib/storage/storage-errors";
import { store } from "#lib/storage/store";
import type { CheckpointRow } from "./find-checkpoint.ts";
import { lockProjects } from "./lock-projects.ts";
import { becomesDefault } from "./rules.ts";

/** Publishes one reserved checkpoint: see `publishReservedCheckpoints`. */
export function publishReservedCheckpoint(
  run: JobRun,
  checkpointId: string,
  alsoInTransaction?: (tx: Transaction) => Promise<void>,
  writeArtifacts?: WriteArtifacts,
): Promise<void> {
  return publishReservedCheckpoints(run, [checkpointId], alsoInTransaction, writeArtifacts);
}

/** Puts a checkpoint's artifacts into its folder. */
export type WriteArtifacts = (run: JobRun, row: CheckpointRow) => Promise<Manifest>;

/**
 * Writes the artifacts of reserved checkpoints, copies of their models' unless told otherwise, and then makes all of them visible in one
 * transaction, with the rules for the default. What an earlier attempt has done already is left as it is.
 *
 * @param alsoInTransaction for instance `(tx) => run.complete(tx)`
 * @throws {StaleAttempt | JobCancelled} nothing has become visible then
 */
export async function publishReservedCheckpoints(
  run: JobRun,
  checkpointIds: readonly string[],
  alsoInTransaction?: (tx: Transaction) => Promise<void>,
  writeArtifacts: WriteArtifacts = copyArtifacts,
): Promise<void> {
  const { db } = run.ctx;
  const wanted = inArray(checkpoints.id, [...checkpointIds]);
  const rows = await db.select().from(checkpoints).where(wanted);
  if (rows.length < checkpointIds.length) throw new Error("A reserved checkpoint is gone");
  try {
    for (const row of rows) {
      run.signal.throwIfAborted();
      if (row.state !== "reserved") continue;
      const manifest = await writeArtifacts(run, row);
      if (artifactDigest(manifest) !== row.sha256)
        throw new ArtifactDamagedError(row.artifactKey, "the folder");
      faultPoint(run.job, "artifacts written");
    }
    await db.transaction(async (tx) => {
      await lockProjects(tx, [...new Set(rows.map(({ projectId }) => projectId))]);
      await run.hold(tx);
      for (const row of await tx.select().from(checkpoints).where(wanted)) {
        if (row.state === "reserved") await makeReady(tx, run, row);
      }
      await alsoInTransaction?.(tx);
    });
  } catch (error) {
    await removeCopiesOfNone(db, rows);
    throw error;
  }
}

/** What was copied for a checkpoint that has gone meanwhile, with its project or because the job was given up. */
async function removeCopiesOfNone(db: Database, rows: readonly CheckpointRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const left = await db.select({ id: checkpoints.id }).from(checkpoints).where(inArray(checkpoints.id, ids));
  const present = new Set(left.map(({ id }) => id));
  for (const { id, artifactKey } of rows) if (!present.has(id)) await store().deleteFolder(artifactKey);
}

async function copyArtifacts(run: JobRun, row: CheckpointRow): Promise<Manifest> {
  const [model] = await run.ctx.db
    .select({ artifactKey: models.artifactKey })
    .from(models)
    .where(and(eq(models.projectId, row.projectId), eq(models.id, row.modelId ?? sql`null`)));
  if (model === undefined) throw new Error(`The model of checkpoint ${row.id} is gone`);
  return copyFolder({ store: store(), key: model.artifactKey }, { store: store(), key: row.artifactKey });
}

async function makeReady(tx: Transaction, run: JobRun, row: CheckpointRow): Promise<void> {
  const { id, projectId, label } = row;
  const ofProject = and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true));
  const [present] = await tx.select({ id: checkpoints.id }).from(checkpoints).where(ofProject);
  const isDefault = becomesDefault(row.setAsDefault, present !== undefined);
  if (isDefault) await tx.update(checkpoints).set({ isDefault: false }).where(ofProject);
  await tx.update(checkpoints).set({ state: "ready", isDefault }).where(eq(checkpoints.id, id));
  await publishEvent(tx, {
    projectId,
    name: "checkpoint-created",
    entityId: id,
    jobId: run.job.id,
    status: "Completed",
    label,
  });
}
