import { z } from "zod";
import type { Context } from "#lib/context/context";
import { type Place, standardError } from "#lib/platform/errors/standard-error";
import { projectExists } from "#lib/projects/project-exists";

const Guid = z.guid().toLowerCase();

/**
 * The project's id, if it exists for the caller.
 *
 * @param place where the caller named it
 * @throws {DomainError} project_not_found, the same for a foreign, an unknown and a malformed one
 */
export async function requireProject(
  { db, actor }: Pick<Context, "db" | "actor">,
  projectId: string,
  place: Place,
): Promise<string> {
  const { data: id } = Guid.safeParse(projectId);
  const foreign = actor.kind === "api-key" && actor.projectId !== id;
  if (id !== undefined && !foreign && (await projectExists(db, id))) return id;
  throw standardError("project_not_found", place);
}
