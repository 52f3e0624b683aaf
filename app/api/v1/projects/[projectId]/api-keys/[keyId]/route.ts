import { defineRoute } from "#lib/api/define-route";
import { ApiKeyPath } from "#lib/api/path-params";
import { ApiKey } from "#lib/contract/api-keys";
import { getApiKey } from "#lib/domain/api-keys/get-api-key";
import { revokeApiKey } from "#lib/domain/api-keys/revoke-api-key";

export const GET = defineRoute({
  operationId: "getApiKey",
  tag: "API keys",
  summary: "Get an API key",
  description: "Returns the key's name, prefix and times, not the key itself.",
  auth: "manage",
  params: ApiKeyPath,
  response: ApiKey,
  etag: true,
  run: (ctx, { params }) => getApiKey(ctx, params),
});

export const DELETE = defineRoute({
  operationId: "revokeApiKey",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "The service rejects the key for every request that starts after this response.",
  auth: "manage",
  params: ApiKeyPath,
  response: ApiKey,
  ifMatch: true,
  records: ["api-key.revoked?"],
  run: (ctx, { params }) => revokeApiKey(ctx, params),
});
