// The realtime server: speaks the Pusher Channels protocol to browsers and to the processes that publish.
import { collectDefaultMetrics, Registry } from "prom-client";
import { StartError } from "#lib/config/start-error";
import { environment } from "#lib/platform/config/environment";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { logger } from "#lib/platform/log/logger";
import { startRealtimeServer } from "#server/realtime/start-realtime-server";
import { onStop } from "../server/stop-signals.ts";
import { reportAndExit } from "./report-and-exit.ts";

const onLost = (count: number, reason: string) =>
  logger().warn({ count, reason }, "webhook events could not be delivered");

process.title = "realtime of prediction-service";
try {
  consoleToLog();
  const { pusher, bindAddress, realtimePort, realtimeWebhookUrl } = environment();
  if (pusher === null) throw new StartError("PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET are not set.");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = await startRealtimeServer({
    appId: pusher.appId,
    key: pusher.key,
    secret: pusher.secret,
    port: realtimePort ?? 6001,
    host: bindAddress,
    registry,
    ...(realtimeWebhookUrl === null ? {} : { webhooks: { url: realtimeWebhookUrl, onLost } }),
  });
  logger().info({ port: server.port }, `listening on port ${server.port}`);
  onStop(async () => {
    await server.close();
    process.exit(0);
  });
} catch (error) {
  reportAndExit(error);
}
