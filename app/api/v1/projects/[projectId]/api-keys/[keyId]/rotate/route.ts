import { defineRoute } from "#lib/api/define-route";
import { ApiKeyPath } from "#lib/api/path-params";
import { CreatedApiKey, RotateApiKey } from "#lib/contract/api-keys";
import { rotateApiKey } from "#lib/domain/api-keys/rotate-api-key";

export const POST = defineRoute({
  operationId: "rotateApiKey",
  tag: "API keys",
  summary: "Rotate an API key",
  description: "Creates a key with the same name. The old key remains valid for `overlapSeconds`.",
  auth: "manage",
  params: ApiKeyPath,
  body: RotateApiKey,
  response: CreatedApiKey,
  status: 201,
  idempotent: true,
  ifMatch: true,
  records: ["api-key.rotated", "api-key.created"],
  run: (ctx, { params, body }) => rotateApiKey(ctx, { ...params, ...body }),
});
