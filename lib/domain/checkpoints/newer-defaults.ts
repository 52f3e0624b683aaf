import { and, eq, gt, inArray } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";

/** A pinned checkpoint of another project, and that project's newer default checkpoint. */
type StalePinnedCheckpoint = {
  projectId: string;
  checkpointId: string;
  label: string;
  defaultCheckpointId: string;
  defaultLabel: string;
};

/**
 * Returns the pinned checkpoints, by id, whose project has a newer default checkpoint. Projects that are no longer
 * dependencies are skipped.
 */
export async function newerDefaults(
  db: Queryable,
  projectId: string,
  checkpointIds: readonly string[],
): Promise<Map<string, StalePinnedCheckpoint>> {
  if (checkpointIds.length === 0) return new Map();
  const newer = alias(checkpoints, "newer_default");
  const rows = await db
    .select({
      projectId: checkpoints.projectId,
      checkpointId: checkpoints.id,
      label: checkpoints.label,
      defaultCheckpointId: newer.id,
      defaultLabel: newer.label,
    })
    .from(checkpoints)
    .innerJoin(
      newer,
      and(
        eq(newer.projectId, checkpoints.projectId),
        eq(newer.isDefault, true),
        gt(newer.createdAt, checkpoints.createdAt),
      ),
    )
    .where(inArray(checkpoints.id, [...checkpointIds]))
    .orderBy(checkpoints.projectId);
  if (rows.length === 0) return new Map();
  const dependencies = new Set((await dependencyGraph(db, projectId)).map((node) => node.projectId));
  return new Map(rows.filter((row) => dependencies.has(row.projectId)).map((row) => [row.checkpointId, row]));
}
