import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import PusherClient from "pusher-js";
import { expect, test } from "vitest";
import { clientOptions } from "#components/realtime/client-options.ts";
import { browserRealtime } from "#lib/platform/config/browser-realtime";
import { parseEnvironment } from "#lib/platform/config/environment";
import { pusherClient } from "#lib/platform/realtime/pusher-client";
import { startRealtimeServer } from "#server/realtime/start-realtime-server";
import { contentSecurityPolicy } from "../server/web/content-security-policy.ts";

const account = { PUSHER_APP_ID: "1", PUSHER_KEY: "key", PUSHER_SECRET: "secret-secret" };

/** Returns the URL to which the service sends, the page's connection, and the connections that the policy allows. */
function configured(variables: Record<string, string>) {
  const pusher = parseEnvironment({ ...account, ...variables }).pusher!;
  const realtime = browserRealtime(pusher, "page.example.com:3000");
  const api = pusherClient(pusher) as unknown as { config: { getBaseURL(): string } };
  const { wsHost, wsPort, wssPort, wsPath, forceTLS, enabledTransports } = clientOptions(realtime);
  const policy = contentSecurityPolicy({ nonce: "", realtime, dev: false });
  return {
    service: api.config.getBaseURL(),
    page: `${enabledTransports} ${wsHost}:${forceTLS ? wssPort : wsPort}${wsPath ?? ""}`,
    policy: /connect-src 'self' ([^;]*)/.exec(policy)?.[1],
  };
}

test.each([
  ["Pusher", { PUSHER_CLUSTER: "eu" }, "https://api-eu.pusher.com", "wss ws-eu.pusher.com:443"],
  ["Pusher's first cluster", {}, "https://api-mt1.pusher.com", "wss ws-mt1.pusher.com:443"],
  [
    "soketi without TLS",
    { PUSHER_HOST: "soketi.internal", PUSHER_PORT: "6001", PUSHER_USE_TLS: "0" },
    "http://soketi.internal:6001",
    "ws soketi.internal:6001",
  ],
  ["Reverb with TLS", { PUSHER_HOST: "ws.example.com" }, "https://ws.example.com", "wss ws.example.com:443"],
  [
    "Reverb with an internal host and a public path of a proxy",
    {
      PUSHER_HOST: "reverb",
      PUSHER_PORT: "8080",
      PUSHER_USE_TLS: "0",
      REALTIME_PUBLIC_URL: "wss://example.com/events/",
    },
    "http://reverb:8080",
    "wss example.com:443/events",
  ],
  [
    "the service's own server",
    { PUSHER_HOST: "127.0.0.1", PUSHER_PORT: "6001", PUSHER_USE_TLS: "0" },
    "http://127.0.0.1:6001",
    "ws page.example.com:6001",
  ],
])("%s requires only environment variables", (_, variables, service, page) => {
  const [scheme, address] = page.split(" ") as [string, string];
  const policy = `${scheme}://${address.split("/")[0]}`;
  expect(configured(variables)).toEqual({ service, page, policy });
});

/** Starts a proxy that removes `/events` from the path, like a proxy in front of several services. */
async function proxyTo(port: number) {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const upstream = connect(port, "127.0.0.1");
    for (const end of [socket, upstream]) sockets.add(end.on("error", () => {}));
    socket.once("data", (head) => {
      upstream.write(head.toString("latin1").replace("GET /events/app/", "GET /app/"), "latin1");
      socket.pipe(upstream).pipe(socket);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const close = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (proxy.address() as AddressInfo).port, close };
}

test.each(["at its own address", "under a path of a proxy"])(
  "the variables connect service and page to an external server %s",
  async (where) => {
    const server = await startRealtimeServer({
      appId: "1",
      key: "key",
      secret: "secret-secret",
      port: 0,
      host: "0.0.0.0",
    });
    const proxy = await proxyTo(server.port);
    const own = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === "IPv4" && !address.internal);
    const pusher = parseEnvironment({
      ...account,
      PUSHER_HOST: own?.address ?? "0.0.0.0",
      PUSHER_PORT: String(server.port),
      PUSHER_USE_TLS: "0",
      ...(where === "under a path of a proxy" && {
        REALTIME_PUBLIC_URL: `ws://127.0.0.1:${proxy.port}/events`,
      }),
    }).pusher!;
    const realtime = browserRealtime(pusher, "page.example.com");
    const client = new PusherClient(realtime.key, {
      ...clientOptions(realtime),
      channelAuthorization: {
        transport: "ajax",
        endpoint: "",
        customHandler: ({ socketId, channelName }, callback) =>
          callback(null, pusherClient(pusher).authorizeChannel(socketId, channelName)),
      },
    });
    try {
      const channel = client.subscribe("private-updates");
      await new Promise((resolve) => channel.bind("pusher:subscription_succeeded", resolve));
      const received = new Promise((resolve) => channel.bind("x", resolve));
      await pusherClient(pusher).trigger("private-updates", "x", { n: 1 });
      expect(await received).toEqual({ n: 1 });
    } finally {
      client.disconnect();
      proxy.close();
      await server.close();
    }
  },
);
