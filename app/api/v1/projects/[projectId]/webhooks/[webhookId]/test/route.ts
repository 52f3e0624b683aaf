import { defineRoute } from "#lib/api/define-route";
import { WebhookPath } from "#lib/api/path-params";
import { Delivery } from "#lib/contract/webhooks";
import { testWebhook } from "#lib/domain/webhooks/deliveries";

export const POST = defineRoute({
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "Sends an event of the type `webhook-test` in the background, like every other event. The list of deliveries shows the result.",
  auth: "manage",
  params: WebhookPath,
  response: Delivery,
  status: 202,
  idempotent: true,
  ifMatch: true,
  records: "none because the delivery records it",
  run: (ctx, { params }) => testWebhook(ctx, params),
});
