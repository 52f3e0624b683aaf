import type { Database } from "#db/client";
import type { Scope } from "#lib/contract/api-keys";
import type { ProjectRole } from "#lib/contract/project-roles";
import { requireIncluded, roleOf } from "#lib/domain/projects/project-role";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import type { Caller } from "./authenticate.ts";

/**
 * Callers that a route permits. Roles are those in the project of the path (`roleOf`).
 * - `project`: a session with the role that the route's effect needs, or a key of the project
 * - `settings`: a session with the role admin, or a key of the project
 * - `manage`: a session with the role admin
 * - `admin`: a session of an admin of the service
 * - `session`: a session of any role
 * - `caller`: any session or key. The route itself distinguishes callers by `ctx.actor`
 * - `public`: everyone
 */
export type Access = "project" | "settings" | "manage" | "admin" | "session" | "caller" | "public";

/** Requirements of a route for its caller. `effect` is also the scope that a key needs. */
export type Requirement = { access: Access; effect: Scope };

/** Role that a call with each effect needs. */
const roleForEffect: Record<Scope, ProjectRole> = { read: "viewer", predict: "viewer", write: "analyst" };

/**
 * Returns the least role in the project that a user needs; null if only admins of the service may call the route. An
 * operation whose path names no project requires the role itself, as those of jobs do.
 */
export function neededRole({ access, effect }: Requirement): ProjectRole | null {
  if (access === "admin") return null;
  return access === "manage" || access === "settings" ? "admin" : roleForEffect[effect];
}

/**
 * Checks that the project in the path exists for the caller, then that the caller has permission. This order gives a
 * project of another key, and a project without a role, the same response as an unknown project. For a key whose project
 * is being deleted, no project exists.
 *
 * @throws {DomainError} `project_not_found`, `forbidden`
 */
export async function authorize(
  { access, effect }: Requirement,
  { actor, existingProjectId, scopes }: Caller,
  projectId: string | undefined,
  db: Database,
): Promise<void> {
  if (actor.kind === "api-key") {
    if (existingProjectId === null || (projectId ?? existingProjectId) !== existingProjectId)
      throw standardError("project_not_found");
    if (access === "manage" || access === "admin" || access === "session")
      throw new DomainError(
        "forbidden",
        "An API key does not have permission for this operation. Sign in as a user instead.",
      );
    if (!scopes.includes(effect)) throw scopeError(effect, scopes);
    return;
  }
  const role = projectId === undefined ? actor.role : await roleOf(db, actor, projectId);
  if (role === null) throw standardError("project_not_found");
  if (access === "admin" && actor.role !== "admin")
    throw new DomainError(
      "forbidden",
      "This operation requires the role admin. Ask a member with this role.",
    );
  const needed = neededRole({ access, effect });
  if (needed !== null && (access === "manage" || access === "settings" || access === "project"))
    requireIncluded(role, needed);
}

function scopeError(effect: Scope, scopes: readonly Scope[]): DomainError {
  const own = scopes.map((scope) => `"${scope}"`).join(" and ");
  const message = `The operation needs the scope "${effect}", and the key has ${own}. Create a key with this scope.`;
  return new DomainError("forbidden", message);
}
