import { and, eq } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { standardError } from "#lib/platform/errors/standard-error";

export type CheckpointRow = typeof checkpoints.$inferSelect;

/** `field`: the body field that holds the id; omitted if the path holds it. */
type CheckpointRef = { projectId: string; checkpointId: string; field?: string };

const ready = ({ projectId, checkpointId }: CheckpointRef) =>
  and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId), eq(checkpoints.state, "ready"));

const notFoundError = ({ field, checkpointId: id }: CheckpointRef) =>
  standardError("checkpoint_not_found", ...(field === undefined ? [] : [{ field, id }]));

/**
 * Returns a `ready` checkpoint of the project. One that is not yet ready, or that is being deleted, counts as absent.
 *
 * @throws {DomainError} checkpoint_not_found, also for another project's checkpoint
 */
export async function findCheckpoint(
  db: Database | Transaction,
  wanted: CheckpointRef,
): Promise<CheckpointRow> {
  const [row] = await db.select().from(checkpoints).where(ready(wanted));
  if (row === undefined) throw notFoundError(wanted);
  return row;
}

/**
 * Returns a checkpoint that the caller is about to reference, and blocks its deletion until the transaction ends.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function shareLockCheckpoint(tx: Transaction, wanted: CheckpointRef): Promise<CheckpointRow> {
  const [row] = await tx.select().from(checkpoints).where(ready(wanted)).for("key share");
  if (row === undefined) throw notFoundError(wanted);
  return row;
}

/**
 * Returns and locks a checkpoint that the caller is about to change or delete.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function lockCheckpoint(tx: Transaction, wanted: CheckpointRef): Promise<CheckpointRow> {
  const [row] = await tx.select().from(checkpoints).where(ready(wanted)).for("update");
  if (row === undefined) throw notFoundError(wanted);
  return row;
}

/** Returns the upstream checkpoints that a checkpoint was created with: project → checkpoint, in a fixed order. */
export async function upstreamCheckpointsOf(
  db: Database | Transaction,
  checkpointId: string,
): Promise<Record<string, string>> {
  const rows = await db
    .select()
    .from(checkpointDependencies)
    .where(eq(checkpointDependencies.checkpointId, checkpointId))
    // The entity tag of the checkpoint is computed from the bytes of the response.
    .orderBy(checkpointDependencies.upstreamProjectId);
  return Object.fromEntries(rows.map((one) => [one.upstreamProjectId, one.upstreamCheckpointId]));
}
