import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { type Page, type PageRequest, Paging } from "#db/page";
import { checkpoints } from "#db/schema/checkpoints";
import type { CheckpointRow } from "./find-checkpoint.ts";

/** Returns a project's checkpoints (at most 20), newest first. */
export async function listCheckpoints(
  { db }: { db: Database },
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<CheckpointRow>> {
  const paging = new Paging([checkpoints.createdAt, checkpoints.id], request);
  const rows = await db
    .select({ checkpoint: checkpoints, position: paging.position })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "ready"), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ checkpoint }) => checkpoint);
}
