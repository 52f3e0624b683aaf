import { and, eq, inArray } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { auditLog } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import { user } from "#db/schema/users";
import { AuditEntityType, type AuditEntry } from "#lib/contract/audit";
import type { Context } from "#lib/platform/context/context";

type AuditFilter = PageRequest & {
  /** Project of the entries. Without it, entries of all projects. */
  projectId?: string | undefined;
  entityType?: readonly AuditEntityType[] | undefined;
  actorId?: string | undefined;
};

/** Lists audit entries, latest first. */
export async function listAudit(
  { db }: Pick<Context, "db">,
  { projectId, entityType, actorId, ...request }: AuditFilter,
): Promise<Page<AuditEntry>> {
  const paging = new Paging([auditLog.at, auditLog.id], request);
  const rows = await db
    .select({ entry: auditLog, actorName: user.name, projectName: projects.name, position: paging.position })
    .from(auditLog)
    .leftJoin(user, eq(user.id, auditLog.actorId))
    .leftJoin(projects, eq(projects.id, auditLog.projectId))
    .where(
      and(
        projectId === undefined ? undefined : eq(auditLog.projectId, projectId),
        entityType && inArray(auditLog.entityType, [...entityType]),
        actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
        paging.where,
      ),
    )
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ entry, actorName, projectName }) => ({
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
    changes: entry.changes,
  }));
}
