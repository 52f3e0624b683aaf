import { defineRoute } from "#lib/api/define-route";
import { ProjectDeliveryPath } from "#lib/api/path-params";
import { Delivery } from "#lib/contract/webhooks";
import { locateDelivery, resendDelivery } from "#lib/domain/webhooks/deliveries";

export const POST = defineRoute({
  operationId: "resendDeliveryOfProject",
  tag: "Webhooks",
  summary: "Send a delivery again by its ID alone",
  description: "Like `resendDelivery`, for callers that do not know the webhook.",
  auth: "manage",
  params: ProjectDeliveryPath,
  response: Delivery,
  status: 202,
  ifMatch: true,
  records: "none because the delivery records it",
  run: async (ctx, { params }) => resendDelivery(ctx, await locateDelivery(ctx.db, params)),
});
