import { and, eq } from "drizzle-orm";
import { apiKeys } from "#db/schema/access";
import type { ApiKey } from "#lib/contract/api-keys";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { presentApiKey } from "./present.ts";

/** @throws {DomainError} `api_key_not_found`, also for another project's key */
export async function getApiKey(
  { db }: Pick<Context, "db">,
  { projectId, keyId }: { projectId: string; keyId: string },
): Promise<ApiKey> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.projectId, projectId)));
  if (!row) throw standardError("api_key_not_found");
  return presentApiKey(row);
}
