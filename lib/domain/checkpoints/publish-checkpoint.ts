import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { models } from "#db/schema/models";
import { writeArtifacts } from "#lib/artifacts/write-artifacts";
import { lockProjects } from "#lib/domain/projects/lock-projects-with-slots";
import { announceServingChange, requireAnnounced } from "#lib/models/serving-leases";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { newId } from "#lib/platform/ids/new-id";
import { faultPoint } from "#lib/platform/jobs/fault-point";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import type { Manifest } from "#lib/platform/storage/artifact-store";
import { copyFolder } from "#lib/platform/storage/copy-folder";
import { ArtifactDamagedError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import type { CheckpointRow } from "./find-checkpoint.ts";
import { becomesDefault } from "./rules.ts";

/** Publishes one reserved checkpoint: see `publishReservedCheckpoints`. */
export function publishReservedCheckpoint(
  run: JobRun,
  checkpointId: string,
  alsoInTransaction?: (tx: Transaction) => Promise<void>,
  write?: WriteCheckpoint,
): Promise<void> {
  return publishReservedCheckpoints(run, [checkpointId], alsoInTransaction, write);
}

/** Puts a checkpoint's artifacts into a folder. */
export type WriteCheckpoint = (run: JobRun, row: CheckpointRow, artifactKey: string) => Promise<Manifest>;

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
  write: WriteCheckpoint = copyModel,
): Promise<void> {
  const { db } = run.ctx;
  const wanted = inArray(checkpoints.id, [...checkpointIds]);
  const rows = await db.select().from(checkpoints).where(wanted);
  if (rows.length < checkpointIds.length) throw new Error("A reserved checkpoint is gone");
  // Each attempt writes to a folder of its own: one that was believed dead touches nothing that others read.
  const keys = new Map(
    rows.filter(isReserved).map((row) => [row.id, `${row.artifactKey}/${newId()}`] as const),
  );
  await writeArtifacts(db, [...keys.values()], async (claim) => {
    for (const row of rows.filter(isReserved)) {
      run.signal.throwIfAborted();
      const key = keys.get(row.id)!;
      const manifest = await write(run, row, key);
      if (artifactDigest(manifest) !== row.sha256) throw new ArtifactDamagedError(key, "the folder");
      faultPoint(run.job, "artifacts written");
    }
    const changed = [...new Set(rows.map(({ projectId }) => projectId))];
    for (const projectId of changed) await announceServingChange(db, projectId, run.hold);
    await db.transaction(async (tx) => {
      await lockProjects(tx, changed);
      for (const projectId of changed) await requireAnnounced(tx, projectId);
      await run.hold(tx);
      await claim(tx);
      const reserved = (await tx.select().from(checkpoints).where(wanted)).filter(isReserved);
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
  const ofProject = and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true));
  const [present] = await tx.select({ id: checkpoints.id }).from(checkpoints).where(ofProject);
  const isDefault = becomesDefault(row.setAsDefault, present !== undefined);
  if (isDefault) await tx.update(checkpoints).set({ isDefault: false }).where(ofProject);
  await tx.update(checkpoints).set({ state: "ready", isDefault, artifactKey }).where(eq(checkpoints.id, id));
  await publishEvent(tx, {
    projectId,
    name: "checkpoint-created",
    entityId: id,
    jobId: run.job.id,
    status: "Completed",
    label,
  });
}
