import type { Database } from "#db/client";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { projectExists } from "#lib/projects/project-exists";
import type { Caller } from "./authenticate.ts";

/**
 * Who may call a route.
 * - `project`: a session of any role, or a key of the project in the path
 * - `settings`: an admin's session, or a key of the project in the path
 * - `admin`: an admin's session
 * - `session`: a session of any role
 * - `caller`: any session or key; the route itself holds callers apart by `ctx.actor`
 * - `public`: everybody
 */
export type Access = "project" | "settings" | "admin" | "session" | "caller" | "public";

/**
 * Whether the project in the path exists for the caller, and then whether the caller may do this. In this order, so that
 * a foreign project is answered exactly like one that does not exist. For a key whose project is being deleted nothing
 * exists any more, whatever the path.
 *
 * @throws {DomainError} `project_not_found`, `forbidden`
 */
export async function authorize(
  access: Access,
  { actor, existingProject }: Caller,
  projectId: string | undefined,
  db: Database,
): Promise<void> {
  const exists =
    actor.kind === "api-key"
      ? existingProject !== null && (projectId ?? existingProject) === existingProject
      : projectId === undefined || (await projectExists(db, projectId));
  if (!exists) throw standardError("project_not_found");
  const admin = actor.kind === "session" && actor.role === "admin";
  if ((access === "admin" || access === "session") && actor.kind === "api-key") {
    throw new DomainError("forbidden", "An API key may not do this: sign in instead.");
  }
  if ((access === "admin" || (access === "settings" && actor.kind === "session")) && !admin) {
    throw new DomainError(
      "forbidden",
      "Only an admin may do this. Ask one of the members whose role is admin.",
    );
  }
}
