import { and, eq } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { apiKeys } from "#db/schema/access";
import type { Context } from "#lib/context/context";
import type { ApiKey } from "#lib/contract/api-keys";
import { presentApiKey } from "./present.ts";

/** A project's keys, the newest first, revoked and expired ones too. */
export async function listApiKeys(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<ApiKey>> {
  const paging = new Paging([apiKeys.createdAt, apiKeys.id], request);
  const rows = await db
    .select({ key: apiKeys, position: paging.position })
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ key }) => presentApiKey(key));
}
