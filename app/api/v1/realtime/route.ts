import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { RealtimeConnection } from "#lib/contract/realtime";
import { describeRealtime } from "#lib/domain/projects/describe-realtime";

export const GET = defineRoute({
  operationId: "getRealtime",
  tag: "Realtime",
  summary: "Where events are told, for a Pusher client",
  description:
    'App key, host, port, TLS and the project\'s channel. A key names its own project; with a session say which: `?projectId=`. With pusher-js: `new Pusher(key, { cluster: "mt1", wsHost: host, wsPort: port, wssPort: port, wsPath: path, forceTLS: tls, enabledTransports: ["ws", "wss"], channelAuthorization: { transport: "ajax", endpoint: "…/api/v1/realtime/auth", headers: { "X-API-Key": … } } })`, then `subscribe(channel)`. What happened before the subscription is not told again: read the job once after it.',
  auth: "caller",
  query: z.object({
    projectId: z.string().max(100).optional().meta({ description: "The project; a key names its own" }),
  }),
  response: RealtimeConnection,
  errors: ["project_not_found"],
  run: (ctx, { query, request }) =>
    describeRealtime(ctx, {
      projectId: query.projectId,
      pageHost: request.headers.get("host") ?? "localhost",
    }),
});
