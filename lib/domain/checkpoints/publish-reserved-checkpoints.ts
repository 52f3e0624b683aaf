import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { models } from "#db/schema/models";
import { announceServingChange } from "#lib/domain/models/serving-leases";
import { lockProjectsWithSlots } from "#lib/domain/projects/lock-projects-with-slots";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { newId } from "#lib/platform/ids/new-id";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import type { Manifest } from "#lib/platform/storage/artifact-store";
import { copyFolder } from "#lib/platform/storage/copy-folder";
import { ArtifactDamagedError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import type { CheckpointRow } from "./find-checkpoint.ts";
import { moveDefault } from "./move-default.ts";
import { becomesDefault } from "./new-checkpoint.ts";

/** Writes a checkpoint's artifacts into a folder. */
type WriteCheckpoint = (run: JobRun, row: CheckpointRow, artifactKey: string) => Promise<Manifest>;

/**
 * Writes the artifacts of reserved checkpoints, by default copies of their models' artifacts. Then makes all
 * checkpoints visible in one transaction and applies the rules for the default. Work that an earlier attempt completed
 * is not repeated.
 *
 * @param alsoInTransaction for example `(tx) => run.complete(tx)`
 * @throws {StaleAttempt | JobCancelled} before any checkpoint becomes visible
 */
export async function publishReservedCheckpoints(
  run: JobRun,
  checkpointIds: readonly string[],
  alsoInTransaction?: (tx: Transaction) => Promise<void>,
  write: WriteCheckpoint = copyModel,
): Promise<void> {
  const { db } = run.ctx;
  const isListed = inArray(checkpoints.id, [...checkpointIds]);
  const rows = await db.select().from(checkpoints).where(isListed);
  if (rows.length < checkpointIds.length) throw new Error("A reserved checkpoint is gone");
  // Each attempt writes to a separate folder, so a late attempt cannot change published files.
  const keys = new Map(
    rows.filter(isReserved).map((row) => [row.id, `${row.artifactKey}/${newId()}`] as const),
  );
  await writeArtifacts(db, [...keys.values()], async (releaseClaim) => {
    for (const row of rows.filter(isReserved)) {
      run.signal.throwIfAborted();
      const key = keys.get(row.id)!;
      const manifest = await write(run, row, key);
      if (artifactDigest(manifest) !== row.sha256) throw new ArtifactDamagedError(key, "the folder");
    }
    const changed = [...new Set(rows.map(({ projectId }) => projectId))];
    // Only the transaction below knows whether a checkpoint becomes the default.
    for (const projectId of changed) await announceServingChange(db, projectId, run.requireCurrentAttempt);
    await db.transaction(async (tx) => {
      await lockProjectsWithSlots(tx, changed);
      await run.requireCurrentAttempt(tx);
      await releaseClaim(tx);
      const reserved = (await tx.select().from(checkpoints).where(isListed)).filter(isReserved);
      for (const row of reserved) await makeReady(tx, run, row, keys.get(row.id)!);
      await alsoInTransaction?.(tx);
    });
  });
}

const isReserved = ({ state }: CheckpointRow) => state === "reserved";

async function copyModel(run: JobRun, row: CheckpointRow, artifactKey: string): Promise<Manifest> {
  const [model] = await run.ctx.db
    .select({ artifactKey: models.artifactKey })
    .from(models)
    .where(and(eq(models.projectId, row.projectId), eq(models.id, row.modelId ?? sql`null`)));
  if (model === undefined) throw new Error(`The model of checkpoint ${row.id} is gone`);
  return copyFolder({ store: store(), key: model.artifactKey }, { store: store(), key: artifactKey });
}

async function makeReady(
  tx: Transaction,
  run: JobRun,
  row: CheckpointRow,
  artifactKey: string,
): Promise<void> {
  const { id, projectId, label } = row;
  const isItsDefault = and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true));
  const [present] = await tx.select({ id: checkpoints.id }).from(checkpoints).where(isItsDefault);
  await tx.update(checkpoints).set({ state: "ready", artifactKey }).where(eq(checkpoints.id, id));
  await publishEvent(tx, {
    projectId,
    name: "checkpoint-created",
    entityId: id,
    jobId: run.job.id,
    status: "Completed",
    label,
  });
  if (becomesDefault(row.setAsDefault, present !== undefined)) {
    await moveDefault(tx, run.ctx, { projectId, to: id, jobId: run.job.id });
  }
}
