import { defineRoute } from "#lib/api/define-route";
import { WebhookPath } from "#lib/api/path-params";
import { UpdateWebhook, Webhook } from "#lib/contract/webhooks";
import { deleteWebhook } from "#lib/domain/webhooks/delete-webhook";
import { getWebhook } from "#lib/domain/webhooks/find-webhook";
import { updateWebhook } from "#lib/domain/webhooks/update-webhook";

export const GET = defineRoute({
  operationId: "getWebhook",
  tag: "Webhooks",
  summary: "Get a webhook",
  auth: "manage",
  params: WebhookPath,
  response: Webhook,
  etag: true,
  run: (ctx, { params }) => getWebhook(ctx, params),
});

export const PATCH = defineRoute({
  operationId: "updateWebhook",
  tag: "Webhooks",
  summary: "Update a webhook",
  description:
    "Changes the address, the events or the format, or disables or enables the webhook. A webhook that is enabled again receives the events of the last 24 hours that waited.",
  auth: "manage",
  params: WebhookPath,
  body: UpdateWebhook,
  response: Webhook,
  etag: true,
  ifMatch: true,
  records: ["webhook.updated"],
  run: (ctx, { params, body }) => updateWebhook(ctx, { ...params, change: body }),
});

export const DELETE = defineRoute({
  operationId: "deleteWebhook",
  tag: "Webhooks",
  summary: "Delete a webhook",
  description: "Deletes the webhook with its deliveries, and returns it.",
  auth: "manage",
  params: WebhookPath,
  response: Webhook,
  ifMatch: true,
  records: ["webhook.deleted"],
  run: (ctx, { params }) => deleteWebhook(ctx, params),
});
