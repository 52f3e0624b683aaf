import { and, eq, isNull } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { projects } from "#db/schema/projects";

/** Whether there is such a project, and nobody has asked for its deletion. */
export async function projectExists(db: Database | Transaction, projectId: string): Promise<boolean> {
  const found = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)));
  return found.length > 0;
}
