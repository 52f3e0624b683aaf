import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { parseJsonBytes, readBodyBytes } from "#lib/api/request/read-body";
import { validationError } from "#lib/api/request/validation-error";
import { limits } from "#lib/contract/limits";
import { authorizeChannel, ChannelRequest } from "#lib/domain/projects/authorize-channel";

const formType = "application/x-www-form-urlencoded";

const ChannelSignature = z.object({
  auth: z.string().describe("Signature to send to the channel server."),
});

export const POST = defineRoute({
  operationId: "authorizeChannel",
  tag: "Realtime",
  summary: "Authorise a channel subscription",
  description: "Accepts the request that pusher-js sends. Returns `{ auth }` without the envelope.",
  auth: "caller",
  effect: "read",
  rawBody: {
    [formType]: { description: "`socket_id` and `channel_name`.", schema: ChannelRequest },
    "application/json": { description: "`socket_id` and `channel_name`, as JSON.", schema: ChannelRequest },
  },
  rawResponses: {
    "application/json": { description: "Signature of the subscription.", schema: ChannelSignature },
  },
  errors: ["malformed_json", "validation_failed", "project_not_found"],
  records: "none because it only signs",
  async run(ctx, { request }) {
    const bytes = await readBodyBytes(request, limits.jsonBytes);
    const isForm = (request.headers.get("content-type") ?? "").toLowerCase().startsWith(formType);
    const sent = isForm
      ? Object.fromEntries(new URLSearchParams(bytes.toString("utf8")))
      : parseJsonBytes(bytes);
    const parsed = ChannelRequest.safeParse(sent, { reportInput: true });
    if (!parsed.success) throw validationError(parsed.error, "body");
    return Response.json(await authorizeChannel(ctx, parsed.data));
  },
});
