import { asc, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projects } from "#db/schema/projects";
import { standardError } from "#lib/platform/errors/standard-error";

/**
 * Locks a project's row until the transaction ends, so that changes in the project are serialised. A transaction takes
 * this lock after advisory locks and before locks on other rows. Changes of one row, such as the progress of a job or the
 * revocation of a key, need no lock of the project (docs/decisions/0181-locks-and-invariants.md).
 *
 * @throws {DomainError} `project_not_found`, also for a project that is being deleted
 */
export async function lockProject(tx: Transaction, projectId: string): Promise<void> {
  const existing = await lockProjectRows(tx, [projectId]);
  if (!existing.has(projectId)) throw standardError("project_not_found");
}

/**
 * Locks several projects' rows in id order.
 *
 * @returns the existing projects by ID; a project that is being deleted is locked but not returned
 */
export async function lockProjectRows(
  tx: Transaction,
  projectIds: readonly string[],
): Promise<Map<string, Pick<typeof projects.$inferSelect, "id" | "name" | "currentModelId">>> {
  const { id, name, currentModelId, deletedAt } = projects;
  const rows = await tx
    .select({ id, name, currentModelId, deletedAt })
    .from(projects)
    .where(inArray(projects.id, [...projectIds]))
    .orderBy(asc(projects.id))
    .for("no key update");
  return new Map(rows.filter((row) => row.deletedAt === null).map((row) => [row.id, row]));
}

/** Any number that no other lock uses; "deps" in ASCII. */
const dependencyLock = 0x64_65_70_73;

/**
 * Serialises transactions that change dependencies. Otherwise two acyclic changes could form a cycle together, or a
 * project could be deleted while another one starts to use it.
 */
export async function lockDependencies(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${dependencyLock})`);
}
