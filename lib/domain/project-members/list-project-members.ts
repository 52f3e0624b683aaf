import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { type Page, type PageRequest, Paging } from "#db/page";
import { projectMembers } from "#db/schema/projects";
import { user } from "#db/schema/users";
import type { ProjectMember } from "#lib/contract/project-members";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";

/** Returns the listed members of a project, the first one first. Admins of the service are members of all projects. */
export async function listProjectMembers(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<ProjectMember>> {
  const paging = new Paging([projectMembers.createdAt, projectMembers.id], request, { direction: "asc" });
  const rows = await selectMembers(db, paging.position)
    .where(and(eq(projectMembers.projectId, projectId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, presentProjectMember);
}

/** Returns a listed member; undefined if the user is not listed. */
export async function findProjectMember(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<ProjectMember | undefined> {
  const paging = new Paging([projectMembers.createdAt, projectMembers.id], {});
  const [row] = await selectMembers(db, paging.position).where(
    and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId)),
  );
  return row && presentProjectMember(row);
}

/** @throws {DomainError} `member_not_found` */
export async function requireListed(
  db: Queryable,
  ref: { projectId: string; userId: string },
): Promise<ProjectMember> {
  const member = await findProjectMember(db, ref);
  if (member === undefined) throw standardError("member_not_found");
  return member;
}

const selectMembers = (db: Queryable, position: Paging["position"]) =>
  db
    .select({ member: projectMembers, name: user.name, position })
    .from(projectMembers)
    .innerJoin(user, eq(user.id, projectMembers.userId))
    .$dynamic();

type Row = { member: typeof projectMembers.$inferSelect; name: string };

const presentProjectMember = ({ member, name }: Row): ProjectMember => ({
  id: member.id,
  userId: member.userId,
  name,
  role: member.role,
  createdAt: member.createdAt.toISOString(),
  createdBy: member.createdBy,
});
