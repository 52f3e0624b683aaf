import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { standardError } from "#lib/platform/errors/standard-error";

export type CheckpointRow = typeof checkpoints.$inferSelect;

/** Checkpoint as the address of a request names it. */
export type CheckpointRef = { projectId: string; checkpointId: string };

/** Returns a `ready` checkpoint of the project; null for an unknown one. */
export async function readyCheckpoint(db: Queryable, ref: CheckpointRef): Promise<CheckpointRow | null> {
  const [row] = await selectReady(db, ref);
  return row ?? null;
}

const selectReady = (db: Queryable, { projectId, checkpointId: id }: CheckpointRef) =>
  db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, id), eq(checkpoints.state, "ready")));

/**
 * Returns a `ready` checkpoint of the project. One that is not yet ready, or that is being deleted, counts as absent.
 *
 * @param field the request field that holds the id; omitted if the path holds it
 * @param lock lock on its row until the transaction ends: "key share" to reference the checkpoint, which blocks its
 *   deletion; "update" to delete it
 * @throws {DomainError} checkpoint_not_found, also for another project's checkpoint
 */
export async function findCheckpoint(
  db: Queryable,
  { field, ...ref }: CheckpointRef & { field?: string },
  lock?: "key share" | "update",
): Promise<CheckpointRow> {
  const query = selectReady(db, ref);
  const [row] = await (lock === undefined ? query : query.for(lock));
  if (row === undefined)
    throw standardError(
      "checkpoint_not_found",
      ...(field === undefined ? [] : [{ field, id: ref.checkpointId }]),
    );
  return row;
}

/** Returns the upstream checkpoints that a checkpoint was created with: project → checkpoint, in a fixed order. */
export async function upstreamCheckpointsOf(
  db: Queryable,
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
