import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import type { CreateApiKey, CreatedApiKey } from "#lib/contract/api-keys";
import { DomainError } from "#lib/platform/errors/domain-error";
import { holdProject } from "#lib/projects/hold-project";
import { insertKey } from "./insert-key.ts";

/** @throws {DomainError} `project_not_found`; `validation_failed` for an expiry that has passed */
export async function createApiKey(
  ctx: Context,
  { projectId, name, expiresAt }: CreateApiKey & { projectId: string },
): Promise<CreatedApiKey> {
  const expiry = expiresAt ? new Date(expiresAt) : null;
  if (expiry && expiry.getTime() <= Date.now()) {
    const message = "expiresAt has passed already: name a time to come.";
    throw new DomainError("validation_failed", message, {
      details: [{ field: "expiresAt", value: expiry.toISOString(), code: "too_small", message }],
    });
  }
  return ctx.db.transaction(async (tx) => {
    await holdProject(tx, projectId);
    return keepAnswer(tx, ctx, await insertKey(tx, ctx, { projectId, name, expiresAt: expiry }));
  });
}
