import { and, desc, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import type { CheckpointRow } from "./find-checkpoint.ts";

/** All checkpoints of a project, newest first: at most 20. */
export function listCheckpoints(
  { db }: { db: Database },
  { projectId }: { projectId: string },
): Promise<CheckpointRow[]> {
  return db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "ready")))
    .orderBy(desc(checkpoints.createdAt), desc(checkpoints.id));
}
