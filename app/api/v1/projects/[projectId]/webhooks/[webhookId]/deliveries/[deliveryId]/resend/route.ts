import { defineRoute } from "#lib/api/define-route";
import { DeliveryPath } from "#lib/api/path-params";
import { Delivery } from "#lib/contract/webhooks";
import { resendDelivery } from "#lib/domain/webhooks/deliveries";

export const POST = defineRoute({
  operationId: "resendDelivery",
  tag: "Webhooks",
  summary: "Send a delivery again",
  description:
    "Sends it in the background with the same `webhook-id`. Its attempts are counted from 0 again.",
  auth: "manage",
  params: DeliveryPath,
  response: Delivery,
  status: 202,
  ifMatch: true,
  records: "none because the delivery records it",
  run: (ctx, { params }) => resendDelivery(ctx, params),
});
