import { revokeApiKey } from "#lib/api-keys/revoke-api-key";
import { ApiKey } from "#lib/contract/api-keys";
import { defineRoute } from "#lib/http/define-route";
import { ApiKeyPath } from "#lib/http/path-params";

export const DELETE = defineRoute({
  operationId: "revokeApiKey",
  tag: "API keys",
  summary: "Revoke an API key",
  description: "It holds for every request that starts after this answer.",
  auth: "admin",
  params: ApiKeyPath,
  response: ApiKey,
  ifMatch: true,
  run: (ctx, { params }) => revokeApiKey(ctx, params),
});
