import type { apiKeys } from "#db/schema/access";
import type { ApiKey } from "#lib/contract/api-keys";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export function presentApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    scopes: row.scopes,
    allowedAddresses: row.allowedAddresses,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
