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

/** What the variables lead to: where the service sends, where the page connects, and what its policy allows. */
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
    "Reverb in the network within, and under a path of a proxy outside",
    {
      ...{ PUSHER_HOST: "reverb", PUSHER_PORT: "8080", PUSHER_USE_TLS: "0" },
      REALTIME_PUBLIC_URL: "wss://example.com/events/",
    },
    "http://reverb:8080",
    "wss example.com:443/events",
  ],
  [
    "the service's own",
    { PUSHER_HOST: "127.0.0.1", PUSHER_PORT: "6001", PUSHER_USE_TLS: "0" },
    "http://127.0.0.1:6001",
    "ws page.example.com:6001",
  ],
])("%s is reached by configuration alone", (_, variables, service, page) => {
  const [scheme, address] = page.split(" ") as [string, string];
  const policy = `${scheme}://${address.split("/")[0]}`;
  expect(configured(variables)).toEqual({ service, page, policy });
});

/** Takes `/events` off the address of what it hands on, as a proxy in front of several services does. */
async function proxyTo(port: number) {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const there = connect(port, "127.0.0.1");
    for (const end of [socket, there]) sockets.add(end.on("error", () => {}));
    socket.once("data", (head) => {
      there.write(head.toString("latin1").replace("GET /events/app/", "GET /app/"), "latin1");
      socket.pipe(there).pipe(socket);
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
  "a foreign server is spoken to %s by what the variables say",
  async (where) => {
    const server = await startRealtimeServer({
      ...{ appId: "1", key: "key", secret: "secret-secret", port: 0, host: "0.0.0.0" },
    });
    const proxy = await proxyTo(server.port);
    const own = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === "IPv4" && !address.internal);
    const pusher = parseEnvironment({
      ...{ ...account, PUSHER_HOST: own?.address ?? "0.0.0.0", PUSHER_PORT: String(server.port) },
      PUSHER_USE_TLS: "0",
      ...(where === "under a path of a proxy" && {
        REALTIME_PUBLIC_URL: `ws://127.0.0.1:${proxy.port}/events`,
      }),
    }).pusher!;
    const realtime = browserRealtime(pusher, "page.example.com");
    const client = new PusherClient(realtime.key, clientOptions(realtime));
    try {
      const channel = client.subscribe("updates");
      await new Promise((resolve) => channel.bind("pusher:subscription_succeeded", resolve));
      const heard = new Promise((resolve) => channel.bind("x", resolve));
      await pusherClient(pusher).trigger("updates", "x", { n: 1 });
      expect(await heard).toEqual({ n: 1 });
    } finally {
      client.disconnect();
      proxy.close();
      await server.close();
    }
  },
);
