import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Queryable } from "#db/client";
import { projects } from "#db/schema/projects";
import type { Context } from "#lib/platform/context/context";
import { type Place, standardError } from "#lib/platform/errors/standard-error";
import { roleOf } from "./project-role.ts";

const Guid = z.guid().toLowerCase();

/**
 * Returns the project's id if the project exists for the caller.
 *
 * @param place request field or path part with the id
 * @throws {DomainError} project_not_found, the same for an unknown and a malformed ID, for another project than the key's, and for a
 *   project in which the user has no role
 */
export async function requireProject(
  { db, actor }: Pick<Context, "db" | "actor">,
  projectId: string,
  place: Place,
): Promise<string> {
  const { data: id } = Guid.safeParse(projectId);
  const exists =
    id !== undefined &&
    (actor.kind === "api-key"
      ? actor.projectId === id && (await projectExists(db, id))
      : (await roleOf(db, actor, id)) !== null);
  if (exists) return id;
  throw standardError("project_not_found", place);
}

/** Returns whether the project exists and is not being deleted. */
export async function projectExists(db: Queryable, projectId: string): Promise<boolean> {
  const found = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)));
  return found.length > 0;
}
