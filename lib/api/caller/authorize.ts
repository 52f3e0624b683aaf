import type { Database } from "#db/client";
import { projectExists } from "#lib/domain/projects/require-project";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import type { Caller } from "./authenticate.ts";

/**
 * Callers that a route permits.
 * - `project`: a session of any role, or a key of the project in the path
 * - `settings`: an admin session, or a key of the project in the path
 * - `admin`: an admin session
 * - `session`: a session of any role
 * - `caller`: any session or key. The route itself distinguishes callers by `ctx.actor`
 * - `public`: everyone
 */
export type Access = "project" | "settings" | "admin" | "session" | "caller" | "public";

/**
 * Checks that the project in the path exists for the caller, then that the caller has permission. This order gives a
 * project of another key the same response as an unknown project. For a key whose project is being deleted, no project
 * exists.
 *
 * @throws {DomainError} `project_not_found`, `forbidden`
 */
export async function authorize(
  access: Access,
  { actor, existingProjectId }: Caller,
  projectId: string | undefined,
  db: Database,
): Promise<void> {
  const exists =
    actor.kind === "api-key"
      ? existingProjectId !== null && (projectId ?? existingProjectId) === existingProjectId
      : projectId === undefined || (await projectExists(db, projectId));
  if (!exists) throw standardError("project_not_found");
  const admin = actor.kind === "session" && actor.role === "admin";
  if ((access === "admin" || access === "session") && actor.kind === "api-key") {
    throw new DomainError(
      "forbidden",
      "An API key does not have permission for this operation. Sign in as a user instead.",
    );
  }
  if ((access === "admin" || (access === "settings" && actor.kind === "session")) && !admin) {
    throw new DomainError(
      "forbidden",
      "This operation requires the role admin. Ask a member with this role.",
    );
  }
}
