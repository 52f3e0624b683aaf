import { and, eq } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { DomainError } from "#lib/errors/domain-error";

export type CheckpointRow = typeof checkpoints.$inferSelect;

type Wanted = { projectId: string; checkpointId: string };

const ready = ({ projectId, checkpointId }: Wanted) =>
  and(
    eq(checkpoints.projectId, projectId),
    eq(checkpoints.id, checkpointId),
    eq(checkpoints.state, "ready"),
  );

export const checkpointNotFound = (checkpointId: string) =>
  new DomainError("checkpoint_not_found", `There is no checkpoint ${checkpointId} in this project.`);

/**
 * A checkpoint of the project. One that is still being copied, or is being deleted, does not exist.
 *
 * @throws {DomainError} checkpoint_not_found, also for another project's
 */
export async function findCheckpoint(db: Database | Transaction, wanted: Wanted): Promise<CheckpointRow> {
  const [row] = await db.select().from(checkpoints).where(ready(wanted));
  if (row === undefined) throw checkpointNotFound(wanted.checkpointId);
  return row;
}

/**
 * The same, and it cannot be deleted until the transaction ends: for whoever is about to refer to it.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function holdCheckpoint(tx: Transaction, wanted: Wanted): Promise<CheckpointRow> {
  const [row] = await tx.select().from(checkpoints).where(ready(wanted)).for("key share");
  if (row === undefined) throw checkpointNotFound(wanted.checkpointId);
  return row;
}
