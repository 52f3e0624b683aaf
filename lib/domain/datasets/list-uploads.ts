import { and, eq, isNull } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { uploads } from "#db/schema/datasets";
import type { ListedUpload } from "#lib/contract/uploads";
import type { Context } from "#lib/platform/context/context";
import { UPLOAD_HOURS } from "./delete-unused-uploads.ts";

/** Lists a project's uploads that no request has used yet, newest first. */
export async function listUploads(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<ListedUpload>> {
  const paging = new Paging([uploads.createdAt, uploads.id], request);
  const rows = await db
    .select({ upload: uploads, position: paging.position })
    .from(uploads)
    .where(and(eq(uploads.projectId, projectId), isNull(uploads.usedAt), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ upload }) => presentUpload(upload));
}

export function presentUpload({
  id,
  projectId,
  bytes,
  createdAt,
  createdBy,
}: Omit<typeof uploads.$inferSelect, "profile">): ListedUpload {
  const expiresAt = new Date(createdAt.getTime() + UPLOAD_HOURS * 3_600_000).toISOString();
  return { id, projectId, bytes, createdAt: createdAt.toISOString(), createdBy, expiresAt };
}
