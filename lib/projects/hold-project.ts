import { and, eq, isNull } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projects } from "#db/schema/projects";
import { projectNotFound } from "./refusals.ts";

/**
 * Locks a project's row until the transaction ends, as whoever changes the project does.
 *
 * @throws {DomainError} `project_not_found`
 */
export async function holdProject(tx: Transaction, projectId: string): Promise<void> {
  const held = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)))
    .for("no key update");
  if (held.length === 0) throw projectNotFound();
}
