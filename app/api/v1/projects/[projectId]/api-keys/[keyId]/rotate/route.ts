import { rotateApiKey } from "#lib/api-keys/rotate-api-key";
import { CreatedApiKey, RotateApiKey } from "#lib/contract/api-keys";
import { defineRoute } from "#lib/http/define-route";
import { ApiKeyPath } from "#lib/http/path-params";

export const POST = defineRoute({
  operationId: "rotateApiKey",
  tag: "API keys",
  summary: "Replace an API key",
  description: "Creates a key with the same name; the old one lives on for `overlapSeconds`.",
  auth: "admin",
  params: ApiKeyPath,
  body: RotateApiKey,
  response: CreatedApiKey,
  status: 201,
  idempotent: true,
  run: (ctx, { params, body }) => rotateApiKey(ctx, { ...params, ...body }),
});
