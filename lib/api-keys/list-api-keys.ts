import { and, desc, eq, lt } from "drizzle-orm";
import { apiKeys } from "#db/schema/access";
import type { Context } from "#lib/context/context";
import type { ApiKey } from "#lib/contract/api-keys";
import { presentApiKey } from "./present.ts";

/**
 * A project's keys, the newest first, revoked and expired ones too.
 *
 * @param before id of the last key of the page before
 * @returns `nextBefore` is null on the last page
 */
export async function listApiKeys(
  { db }: Pick<Context, "db">,
  { projectId, before, limit }: { projectId: string; before?: string | undefined; limit: number },
): Promise<{ keys: ApiKey[]; nextBefore: string | null }> {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), before === undefined ? undefined : lt(apiKeys.id, before)))
    .orderBy(desc(apiKeys.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { keys: page.map(presentApiKey), nextBefore: rows.length > limit ? page.at(-1)!.id : null };
}
