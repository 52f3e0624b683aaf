// The realtime server: speaks the Pusher Channels protocol to browsers and to the processes that publish.
import { collectDefaultMetrics, Registry } from "prom-client";
import { environment } from "#lib/platform/config/environment";
import { StartError } from "#lib/platform/errors/start-errors";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { logger } from "#lib/platform/log/logger";
import { startRealtimeServer } from "#server/realtime/start-realtime-server";
import { reportAndExit } from "../server/report-and-exit.ts";
import { onStop } from "../server/stop-signals.ts";

process.title = "realtime of forkcast";
try {
  consoleToLog();
  const { pusher, bindAddress, realtimePort, connectionsPerAddress, trustedProxies } = environment();
  if (pusher === null) throw new StartError("PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET are not set.");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = await startRealtimeServer({
    appId: pusher.appId,
    key: pusher.key,
    secret: pusher.secret,
    port: realtimePort ?? 6001,
    host: bindAddress,
    connectionsPerAddress,
    trustedProxies,
    registry,
  });
  logger().info({ port: server.port }, `listening on port ${server.port}`);
  onStop(async () => {
    await server.close();
    process.exit(0);
  });
} catch (error) {
  reportAndExit(error);
}
