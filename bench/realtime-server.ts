// Server process of `realtime.ts`: our realtime server, or a bare WebSocket server that sends each posted body to all
// clients.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { startRealtimeServer } from "#server/realtime/start-realtime-server";

const credentials = { appId: "bench", key: "bench", secret: "bench-secret" };

async function start(kind: string | undefined): Promise<number> {
  if (kind === "ours")
    return (await startRealtimeServer({ ...credentials, port: 0, host: "127.0.0.1" })).port;
  const server = createServer(async (request, response) => {
    const message = (await buffer(request)).toString();
    for (const client of sockets.clients) client.send(message);
    response.end("{}");
  });
  const sockets = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

process.send!({ port: await start(process.argv[2]) });
process.on("message", () => process.send!(process.memoryUsage().rss));
process.on("disconnect", () => process.exit());
