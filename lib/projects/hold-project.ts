import { asc, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projects } from "#db/schema/projects";
import { standardError } from "#lib/platform/errors/standard-error";

/**
 * Locks a project's row until the transaction ends. Whoever changes something in a project does this before it locks
 * anything else: then changes pass one after the other, and nobody waits in a circle.
 *
 * @throws {DomainError} `project_not_found`, also for one that is being deleted
 */
export async function holdProject(tx: Transaction, projectId: string): Promise<void> {
  const existing = await holdProjects(tx, [projectId]);
  if (!existing.has(projectId)) throw standardError("project_not_found");
}

/**
 * The same for several, in the order of their ids.
 *
 * @returns those that exist; one that is being deleted is locked, but does not
 */
export async function holdProjects(tx: Transaction, projectIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: projects.id, deletedAt: projects.deletedAt })
    .from(projects)
    .where(inArray(projects.id, [...projectIds]))
    .orderBy(asc(projects.id))
    .for("no key update");
  return new Set(rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id));
}
