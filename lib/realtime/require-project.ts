import { z } from "zod";
import type { Context } from "#lib/context/context";
import { errorCodes } from "#lib/contract/error-codes";
import { DomainError } from "#lib/errors/domain-error";
import { projectExists } from "#lib/projects/project-exists";

const Guid = z.guid().toLowerCase();

export const projectNotFound = () => new DomainError("project_not_found", errorCodes.project_not_found[1]);

/**
 * The project's id, if it exists for the caller.
 *
 * @throws {DomainError} project_not_found, the same for a foreign, an unknown and a malformed one
 */
export async function requireProject(
  { db, actor }: Pick<Context, "db" | "actor">,
  projectId: string,
): Promise<string> {
  const { data: id } = Guid.safeParse(projectId);
  const foreign = actor.kind === "api-key" && actor.projectId !== id;
  if (id !== undefined && !foreign && (await projectExists(db, id))) return id;
  throw projectNotFound();
}
