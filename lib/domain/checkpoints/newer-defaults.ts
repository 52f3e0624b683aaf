import { and, eq, gt, inArray } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database, Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { dependencyClosure } from "#lib/domain/projects/dependency-graph";

/** A checkpoint of another project that is pinned, and that project's default one, which was made after it. */
export type StalePin = {
  projectId: string;
  checkpointId: string;
  label: string;
  defaultCheckpointId: string;
  defaultLabel: string;
};

/**
 * Of checkpoints that something in a project is pinned to those whose project has a newer default by now, by their id.
 * Nothing is told of a project that is no dependency any more.
 */
export async function newerDefaults(
  db: Database | Transaction,
  projectId: string,
  checkpointIds: readonly string[],
): Promise<Map<string, StalePin>> {
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
  const dependencies = new Set((await dependencyClosure(db, projectId)).map((node) => node.projectId));
  return new Map(rows.filter((row) => dependencies.has(row.projectId)).map((row) => [row.checkpointId, row]));
}
