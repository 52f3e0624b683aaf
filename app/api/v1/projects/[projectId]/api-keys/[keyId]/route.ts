import { defineRoute } from "#lib/api/define-route";
import { ApiKeyPath } from "#lib/api/path-params";
import { ApiKey } from "#lib/contract/api-keys";
import { revokeApiKey } from "#lib/domain/api-keys/revoke-api-key";

export const DELETE = defineRoute({
  operationId: "revokeApiKey",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "The service rejects the key for every request that starts after this response.",
  auth: "admin",
  params: ApiKeyPath,
  response: ApiKey,
  ifMatch: true,
  run: (ctx, { params }) => revokeApiKey(ctx, params),
});
