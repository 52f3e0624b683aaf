import { and, eq } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { standardError } from "#lib/platform/errors/standard-error";

export type CheckpointRow = typeof checkpoints.$inferSelect;

/** `field`: where a body names it; left out where the path does. */
type Wanted = { projectId: string; checkpointId: string; field?: string };

const ready = ({ projectId, checkpointId }: Wanted) =>
  and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId), eq(checkpoints.state, "ready"));

const absent = ({ field, checkpointId: id }: Wanted) =>
  standardError("checkpoint_not_found", ...(field === undefined ? [] : [{ field, id }]));

/**
 * A checkpoint of the project. One that is still being copied, or is being deleted, does not exist.
 *
 * @throws {DomainError} checkpoint_not_found, also for another project's
 */
export async function findCheckpoint(db: Database | Transaction, wanted: Wanted): Promise<CheckpointRow> {
  const [row] = await db.select().from(checkpoints).where(ready(wanted));
  if (row === undefined) throw absent(wanted);
  return row;
}

/**
 * The same, and it cannot be deleted until the transaction ends: for whoever is about to refer to it.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function holdCheckpoint(tx: Transaction, wanted: Wanted): Promise<CheckpointRow> {
  const [row] = await tx.select().from(checkpoints).where(ready(wanted)).for("key share");
  if (row === undefined) throw absent(wanted);
  return row;
}

/**
 * The same, for whoever is about to change or delete it.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function lockCheckpoint(tx: Transaction, wanted: Wanted): Promise<CheckpointRow> {
  const [row] = await tx.select().from(checkpoints).where(ready(wanted)).for("update");
  if (row === undefined) throw absent(wanted);
  return row;
}
