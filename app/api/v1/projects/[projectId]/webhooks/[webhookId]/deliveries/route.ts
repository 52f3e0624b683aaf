import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { WebhookPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { Delivery } from "#lib/contract/webhooks";
import { listDeliveries } from "#lib/domain/webhooks/deliveries";

export const GET = defineRoute({
  operationId: "listDeliveries",
  tag: "Webhooks",
  summary: "List a webhook's deliveries",
  description:
    "Returns deliveries newest first, each with its last attempt. The service keeps the last 1,000 for 30 days.",
  auth: "manage",
  params: WebhookPath,
  query: ListQuery,
  response: z.array(Delivery),
  run: async (ctx, { params, query, request }) =>
    pageReply(
      request,
      await listDeliveries(ctx, { ...params, limit: query.limit, after: pageStart(request) }),
    ),
});
