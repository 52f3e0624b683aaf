import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateWebhook, Webhook, WebhookWithSecret } from "#lib/contract/webhooks";
import { createWebhook } from "#lib/domain/webhooks/create-webhook";
import { listWebhooks } from "#lib/domain/webhooks/find-webhook";

export const GET = defineRoute({
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List a project's webhooks",
  description: "Returns webhooks newest first, including disabled ones.",
  auth: "manage",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(Webhook),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listWebhooks(ctx, { ...params, limit: query.limit, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createWebhook",
  tag: "Webhooks",
  summary: "Create a webhook",
  description:
    "The service sends each chosen event as a POST by Standard Webhooks (https://www.standardwebhooks.com): headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, body `{ type, timestamp, data }`. `data` is the payload of the event. With the `format` `slack` or `teams`, the body is a short message for an incoming webhook of the chat. An answer with a status from 200 to 299 within 10 seconds accepts it; redirects are not followed. Otherwise further attempts follow over 24 hours, then the webhook is disabled. An event can arrive twice, with the same `webhook-id`. Private addresses are refused unless the operator permits them. A project has at most 20 webhooks. Only this response contains the secret.",
  auth: "manage",
  params: ProjectPath,
  body: CreateWebhook,
  response: WebhookWithSecret,
  status: 201,
  idempotent: true,
  errors: ["webhook_limit_reached"],
  records: ["webhook.created"],
  run: (ctx, { params, body }) => createWebhook(ctx, { ...params, ...body }),
});
