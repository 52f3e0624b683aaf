import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { publishEvent } from "#lib/platform/realtime/publish-event";

/**
 * Deletes reserved checkpoints that never became ready, and frees their labels and slots. Ready checkpoints stay. Call
 * it when the publishing job ends without completing.
 */
export async function dropReservations(
  tx: Transaction,
  { jobId, status, checkpointIds }: { jobId: string; status: string; checkpointIds: readonly string[] },
): Promise<void> {
  const reserved = and(inArray(checkpoints.id, [...checkpointIds]), eq(checkpoints.state, "reserved"));
  const rows = await tx.select().from(checkpoints).where(reserved).for("update");
  for (const { id, projectId, label } of rows) {
    await tx.delete(checkpoints).where(eq(checkpoints.id, id));
    await publishEvent(tx, { projectId, name: "checkpoint-failed", entityId: id, jobId, status, label });
  }
}
