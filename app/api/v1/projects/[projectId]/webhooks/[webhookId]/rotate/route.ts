import { defineRoute } from "#lib/api/define-route";
import { WebhookPath } from "#lib/api/path-params";
import { RotateWebhook, WebhookWithSecret } from "#lib/contract/webhooks";
import { rotateWebhook } from "#lib/domain/webhooks/rotate-webhook";

export const POST = defineRoute({
  operationId: "rotateWebhook",
  tag: "Webhooks",
  summary: "Rotate the secret of a webhook",
  description:
    "Returns a new secret, which only this response contains. For `overlapSeconds`, deliveries carry signatures by both secrets, the new one first.",
  auth: "manage",
  params: WebhookPath,
  body: RotateWebhook,
  response: WebhookWithSecret,
  status: 201,
  idempotent: true,
  ifMatch: true,
  records: ["webhook.rotated"],
  run: (ctx, { params, body }) => rotateWebhook(ctx, { ...params, ...body }),
});
