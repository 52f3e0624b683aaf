import { type CreateApiKey, type CreatedApiKey, scopes } from "#lib/contract/api-keys";
import { lockProject } from "#lib/domain/projects/lock-project";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { insertKey } from "./insert-key.ts";
import { lockCreator } from "./lock-creator.ts";

/**
 * @throws {DomainError} `session_required` if the caller was removed meanwhile; `project_not_found`; `validation_failed` for
 *   an expiry in the past
 */
export async function createApiKey(
  ctx: Context,
  {
    projectId,
    name,
    expiresAt,
    scopes: wanted = [...scopes],
    allowedAddresses,
  }: CreateApiKey & { projectId: string },
): Promise<CreatedApiKey> {
  const expiry = expiresAt ? new Date(expiresAt) : null;
  if (expiry && expiry.getTime() <= Date.now()) {
    const message = "expiresAt is in the past. Use a future time.";
    throw issueError("validation_failed", {
      field: "expiresAt",
      value: expiry.toISOString(),
      code: "too_small",
      message,
    });
  }
  return ctx.db.transaction(async (tx) => {
    await lockCreator(tx, ctx);
    await lockProject(tx, projectId);
    const permitted = scopes.filter((scope) => wanted.includes(scope));
    const request = {
      projectId,
      name,
      expiresAt: expiry,
      scopes: permitted,
      allowedAddresses: allowedAddresses ?? null,
    };
    const key = await insertKey(tx, ctx, request);
    return storeIdempotentResponse(tx, ctx, key);
  });
}
