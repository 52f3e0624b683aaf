import { and, desc, eq, lt } from "drizzle-orm";
import { auditLog } from "#db/schema/access";
import { user } from "#db/schema/users";
import type { Context } from "#lib/context/context";
import type { AuditEntry } from "#lib/contract/members";

/**
 * What was done in a project, the latest first.
 *
 * @param before id of the last entry of the page before
 * @returns `nextBefore` is null on the last page
 */
export async function listAudit(
  { db }: Pick<Context, "db">,
  { projectId, before, limit }: { projectId: string; before?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; nextBefore: string | null }> {
  const rows = await db
    .select({ entry: auditLog, actorName: user.name })
    .from(auditLog)
    .leftJoin(user, eq(user.id, auditLog.actorId))
    .where(and(eq(auditLog.projectId, projectId), before === undefined ? undefined : lt(auditLog.id, before)))
    .orderBy(desc(auditLog.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    entries: page.map(({ entry, actorName }) => ({
      id: entry.id,
      at: entry.at.toISOString(),
      actorId: entry.actorId,
      actorName,
      apiKeyId: entry.apiKeyId,
      action: entry.action,
      entityType: entry.entityType,
      entityId: entry.entityId,
      label: entry.label,
    })),
    nextBefore: rows.length > limit ? page.at(-1)!.entry.id : null,
  };
}
