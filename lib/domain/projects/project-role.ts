import { and, eq, exists, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { projectMembers, projects } from "#db/schema/projects";
import { includesRole, type ProjectRole } from "#lib/contract/project-roles";
import type { Actor, Context } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";

type User = Extract<Actor, { kind: "session" }>;

/**
 * Returns the role of a signed-in user in a project. Null without a role: the project then does not exist for the user, and
 * neither does one that is being deleted.
 *
 * For example, in an open project an analyst of the service is an analyst, and an admin if the project lists the user as
 * admin. In a restricted project, the user has the listed role or none.
 */
export async function roleOf(db: Queryable, user: User, projectId: string): Promise<ProjectRole | null> {
  const [row] = await db
    .select({ role: roleFor(user) })
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)));
  return row?.role ?? null;
}

/** Selects the role of a user in a project of the query. */
export function roleFor({ userId, role }: User): SQL<ProjectRole | null> {
  if (role === "admin") return sql`'admin'`;
  const listed = sql`(
    select ${projectMembers.role} from ${projectMembers}
    where ${projectMembers.projectId} = ${projects.id} and ${projectMembers.userId} = ${userId})`;
  return sql`case when ${projects.access} = 'restricted' then ${listed}
    when ${listed} = 'admin' then 'admin' else 'analyst' end`;
}

/** Condition on projects of a query: those in which the caller has a role. Undefined: all. */
export function isVisibleTo(db: Queryable, actor: Actor): SQL | undefined {
  if (actor.kind === "api-key") return eq(projects.id, actor.projectId);
  if (actor.role === "admin") return undefined;
  const listed = db
    .select({ role: projectMembers.role })
    .from(projectMembers)
    .where(and(eq(projectMembers.projectId, projects.id), eq(projectMembers.userId, actor.userId)));
  return or(eq(projects.access, "open"), exists(listed));
}

/** @throws {DomainError} `forbidden` if the role does not include the needed one */
export function requireIncluded(role: ProjectRole, needed: ProjectRole): void {
  if (includesRole(role, needed)) return;
  const message = `This operation requires the role ${needed} in the project, and you have the role ${role}. Ask an admin of the project.`;
  throw new DomainError("forbidden", message);
}

/**
 * Requires a role in the project of a resource that the caller was found to see. A key may do all that its project permits.
 * A deleted project gives no roles. Only admins of the service may repeat the job that deletes it.
 *
 * @throws {DomainError} `forbidden`
 */
export async function requireRole(
  { db, actor }: Pick<Context, "db" | "actor">,
  projectId: string,
  needed: ProjectRole,
): Promise<void> {
  if (actor.kind === "api-key") return;
  const role = await roleOf(db, actor, projectId);
  if (role !== null) requireIncluded(role, needed);
  else if (actor.role !== "admin")
    throw new DomainError("forbidden", "The project is deleted. Ask an admin of the service.");
}
