import { and, desc, eq, inArray, lt } from "drizzle-orm";
import { auditLog } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import { user } from "#db/schema/users";
import type { Context } from "#lib/context/context";
import { AuditEntityType, type AuditEntry } from "#lib/contract/audit";

export type AuditFilter = {
  /** Of one project; without it what was done anywhere. */
  projectId?: string | undefined;
  entityType?: readonly AuditEntityType[] | undefined;
  actorId?: string | undefined;
  /** Id of the last entry of the page before. */
  before?: string | undefined;
  limit: number;
};

/**
 * What was done, the latest first.
 *
 * @returns `nextBefore` is null on the last page
 */
export async function listAudit(
  { db }: Pick<Context, "db">,
  { projectId, entityType, actorId, before, limit }: AuditFilter,
): Promise<{ entries: AuditEntry[]; nextBefore: string | null }> {
  const rows = await db
    .select({ entry: auditLog, actorName: user.name, projectName: projects.name })
    .from(auditLog)
    .leftJoin(user, eq(user.id, auditLog.actorId))
    .leftJoin(projects, eq(projects.id, auditLog.projectId))
    .where(
      and(
        projectId === undefined ? undefined : eq(auditLog.projectId, projectId),
        entityType && inArray(auditLog.entityType, [...entityType]),
        actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
        before === undefined ? undefined : lt(auditLog.id, before),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    entries: page.map(({ entry, actorName, projectName }) => ({
      id: entry.id,
      at: entry.at.toISOString(),
      projectId: entry.projectId,
      projectName,
      actorId: entry.actorId,
      actorName,
      apiKeyId: entry.apiKeyId,
      action: entry.action,
      entityType: AuditEntityType.parse(entry.entityType),
      entityId: entry.entityId,
      label: entry.label,
      requestId: entry.requestId,
    })),
    nextBefore: rows.length > limit ? page.at(-1)!.entry.id : null,
  };
}
