import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { publishEvent } from "#lib/platform/realtime/publish-event";

/**
 * Gives up checkpoints that were reserved and never became ready: their labels and slots are free again. Those that are
 * ready stay. To be called where the job that was to publish them ends without having done so.
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
