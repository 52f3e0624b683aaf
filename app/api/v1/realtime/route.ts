import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { RealtimeConnection } from "#lib/contract/realtime";
import { describeRealtime } from "#lib/domain/projects/describe-realtime";

export const GET = defineRoute({
  operationId: "getRealtime",
  tag: "Realtime",
  summary: "Get the real-time connection",
  description:
    'Returns the app key, host, port, TLS setting and channel for a Pusher client. A key uses its own project. A session names the project with `?projectId=`. With pusher-js: `new Pusher(key, { cluster: "mt1", wsHost: host, wsPort: port, wssPort: port, wsPath: path, forceTLS: tls, enabledTransports: ["ws", "wss"], channelAuthorization: { transport: "ajax", endpoint: "…/api/v1/realtime/auth", headers: { "X-API-Key": … } } })`, then `subscribe(channel)`. Events before the subscription are not delivered: read the job once after subscribing, or ask here again whether there was an event since your first read (`secondsSinceLastEvent`).',
  auth: "caller",
  query: z.object({
    projectId: z
      .string()
      .max(100)
      .optional()
      .describe("ID of the project. Required for a session. A key uses its own project."),
  }),
  response: RealtimeConnection,
  errors: ["project_not_found"],
  run: (ctx, { query, request }) =>
    describeRealtime(ctx, {
      projectId: query.projectId,
      pageHost: request.headers.get("host") ?? "localhost",
    }),
});
