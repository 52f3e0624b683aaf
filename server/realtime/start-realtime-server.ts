import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { type WebSocket, WebSocketServer } from "ws";
import { buildInfo } from "#lib/platform/health/build-info";
import { clientAddress } from "#server/web/client-address";
import { Channels } from "./channels.ts";
import { Connection } from "./connection.ts";
import { registerRealtimeMetrics } from "./figures.ts";
import { answerCall } from "./http-api.ts";
import { type CloseCode, closeCodes, limits, serverMessage } from "./protocol.ts";
import type { Credentials } from "./signatures.ts";

export type RealtimeOptions = Credentials & {
  /** Port to listen on; 0 for any free one. */
  port: number;
  /** Interface to listen on; null for all. */
  host: string | null;
  activityTimeoutSeconds?: number;
  pongSeconds?: number;
  /** Maximum number of clients. Further ones are rejected. */
  maxConnections?: number;
  /** Maximum number of clients of one address. */
  connectionsPerAddress?: number;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted. */
  trustedProxies?: number;
  subscribeSeconds?: number;
  /** Further metrics that `/api/metrics` returns. */
  registry?: Registry;
};

export type RealtimeServer = {
  port: number;
  /** Asks every client to reconnect and stops listening. */
  close(): Promise<void>;
};

/** Maximum size of a call: a batch of ten events, with escaped data and channel names. */
const bodyLimitBytes = 1 << 19;

/** Starts a server for private channels of the Pusher protocol. Unmodified Pusher libraries can use it. */
export async function startRealtimeServer(options: RealtimeOptions): Promise<RealtimeServer> {
  const { appId, key, secret, activityTimeoutSeconds = 120, pongSeconds = limits.pongSeconds } = options;
  const { maxConnections = limits.connections, registry = new Registry() } = options;
  const { connectionsPerAddress = limits.connectionsPerAddress, trustedProxies = 0 } = options;
  const { subscribeSeconds = limits.subscribeSeconds } = options;
  const credentials = { appId, key, secret };
  const channels = new Channels();
  const traffic = { received: 0, sent: 0 };
  const connections = new Map<string, Connection>();
  const perAddress = new Counts();
  const times = { activityTimeoutSeconds, pongSeconds, subscribeSeconds };
  const context = { channels, credentials, connections, ...times, traffic };
  registerRealtimeMetrics(registry, {
    traffic,
    connections: () => connections.size,
    channels: () => channels.names().length,
  });

  const server = createServer((request, response) => {
    if (request.url === "/api/health/live") return answer(response, 200, { status: "ok", ...buildInfo() });
    if (request.url === "/api/metrics") return void sendMetrics(response, registry);
    readBody(request).then(
      (body) => {
        if (body === null) return answer(response, 413, { error: "The body is too large" });
        const call = { method: request.method ?? "GET", url: urlOf(request), body };
        const { status, body: result } = answerCall(call, context);
        answer(response, status, result);
      },
      () => response.destroy(), // The caller has disconnected.
    );
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1 << 16 });
  server.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const address = clientAddress(request.headers, request.socket.remoteAddress, trustedProxies);
      const isFull = connections.size >= maxConnections || perAddress.of(address) >= connectionsPerAddress;
      const rejection = rejectionOf(urlOf(request), key) ?? (isFull ? closeCodes.overCapacity : null);
      if (rejection !== null) return reject(client, rejection);
      const connection = new Connection(client, context);
      connections.set(connection.socketId, connection);
      perAddress.add(address, 1);
      client.on("close", () => {
        connections.delete(connection.socketId);
        perAddress.add(address, -1);
      });
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port, ...(options.host === null ? {} : { host: options.host }) }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections.values()) connection.close(closeCodes.reconnect);
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

function urlOf(request: IncomingMessage): URL {
  const target = request.url?.startsWith("/") ? request.url : "/";
  return URL.canParse(`http://localhost${target}`)
    ? new URL(`http://localhost${target}`)
    : new URL("http://localhost/");
}

function rejectionOf(url: URL, key: string): CloseCode | null {
  const [, appKey] = /^\/app\/([^/]+)$/.exec(url.pathname) ?? [];
  if (appKey === undefined) return closeCodes.unknownPath;
  if (appKey !== key) return closeCodes.unknownApp;
  const version = url.searchParams.get("protocol");
  if (version === null) return closeCodes.missingVersion;
  if (!/^\d+$/.test(version)) return closeCodes.invalidVersion;
  return Number(version) >= 5 && Number(version) <= 7 ? null : closeCodes.unsupportedVersion;
}

function reject(client: WebSocket, { code, message }: CloseCode): void {
  client.on("error", () => client.terminate());
  client.send(serverMessage("pusher:error", { code, message }));
  client.close(code, message);
}

/** Reads the body of a call. Returns null if it is larger than any valid one. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bodyLimitBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > bodyLimitBytes ? null : Buffer.concat(chunks);
}

async function sendMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  const text = await registry.metrics();
  response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** Counts by name. A name whose count is zero takes no memory. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, change: number): void {
    const count = this.of(name) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
