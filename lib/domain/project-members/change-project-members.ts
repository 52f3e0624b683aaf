import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projectMembers } from "#db/schema/projects";
import type { AddProjectMember, ProjectMember } from "#lib/contract/project-members";
import type { ProjectRole } from "#lib/contract/project-roles";
import { lockProject } from "#lib/domain/projects/lock-project";
import { findMember, lockMembersShared } from "#lib/domain/users/members";
import { changesBetween } from "#lib/platform/audit/changes-between";
import type { AuditAction } from "#lib/platform/audit/event-of-action";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { findProjectMember, requireListed } from "./list-project-members.ts";

type Ref = { projectId: string; userId: string };

/** @throws {DomainError} `project_not_found`, `member_not_found`, `validation_failed` for a user who is listed already */
export async function addProjectMember(
  ctx: Context,
  { role, ...ref }: AddProjectMember & { projectId: string },
): Promise<ProjectMember> {
  return ctx.db.transaction(async (tx) => {
    await lockMembersShared(tx);
    await lockProject(tx, ref.projectId);
    await findMember(tx, ref.userId);
    if ((await findProjectMember(tx, ref)) !== undefined) {
      const message = "The user is already a member of the project. Change the role instead.";
      throw issueError("validation_failed", {
        field: "userId",
        value: ref.userId,
        code: "duplicate",
        message,
      });
    }
    await tx.insert(projectMembers).values({ id: newId(), ...ref, role, createdBy: ctx.actor.userId });
    const member = await requireListed(tx, ref);
    await record(tx, ctx, "project.member-added", ref, { to: member });
    return storeIdempotentResponse(tx, ctx, member);
  });
}

/** @throws {DomainError} `project_not_found`, `member_not_found`, `precondition_failed` */
export async function updateProjectMember(
  ctx: Context,
  { role, ...ref }: Ref & { role: ProjectRole },
): Promise<ProjectMember> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, ref.projectId);
    const from = await requireListed(tx, ref);
    await requireIfMatch(ctx, async () => from);
    await tx.update(projectMembers).set({ role }).where(isMember(ref));
    const to = await requireListed(tx, ref);
    await record(tx, ctx, "project.member-updated", ref, { from, to });
    return to;
  });
}

/**
 * Removes a user from the list. In a restricted project, the user then has no role. Keys that the user created belong to the
 * project and stay valid.
 *
 * @throws {DomainError} `project_not_found`, `member_not_found`, `precondition_failed`
 */
export async function removeProjectMember(ctx: Context, ref: Ref): Promise<ProjectMember> {
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, ref.projectId);
    const from = await requireListed(tx, ref);
    await requireIfMatch(ctx, async () => from);
    await tx.delete(projectMembers).where(isMember(ref));
    await endConnections(tx, connectionUser.user(ref.userId));
    await record(tx, ctx, "project.member-removed", ref, { from });
    return from;
  });
}

const isMember = ({ projectId, userId }: Ref) =>
  and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId));

async function record(
  tx: Transaction,
  ctx: Context,
  action: AuditAction,
  { projectId }: Ref,
  { from, to }: { from?: ProjectMember; to?: ProjectMember },
): Promise<void> {
  const changes = changesBetween({ role: from?.role }, { role: to?.role });
  await recordChange(tx, ctx, action, { projectId, entityId: projectId, label: (to ?? from)!.name, changes });
}
