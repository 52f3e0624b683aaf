import Pusher from "pusher";
import PusherClient, { type Channel } from "pusher-js";
import { type RealtimeOptions, startRealtimeServer } from "#lib/realtime/server/start-realtime-server";

export const credentials = { appId: "app", key: "key", secret: "secret-secret" };

export type Realtime = Awaited<ReturnType<typeof startRealtime>>;

/** A realtime server on a port of its own, the server library's client of it, and browser libraries' ones. */
export async function startRealtime(options: Partial<RealtimeOptions> = {}) {
  const server = await startRealtimeServer({ ...credentials, port: 0, host: "127.0.0.1", ...options });
  const api = new Pusher({ ...credentials, host: "127.0.0.1", port: String(server.port), useTLS: false });
  const clients: PusherClient[] = [];
  return {
    port: server.port,
    url: `ws://127.0.0.1:${server.port}/app/${credentials.key}?protocol=7`,
    api,
    /** A browser library's client, authorised as the named user for whatever it asks. */
    connect(userId = "anna", secret = credentials.secret): PusherClient {
      const client = browserClient(server.port, userId, secret);
      clients.push(client);
      return client;
    },
    async close(): Promise<void> {
      for (const client of clients.splice(0)) client.disconnect();
      await server.close();
    },
  };
}

function browserClient(port: number, userId: string, secret: string): PusherClient {
  const authority = new Pusher({ ...credentials, secret, host: "unused" });
  return new PusherClient(credentials.key, {
    cluster: "mt1",
    wsHost: "127.0.0.1",
    wsPort: port,
    forceTLS: false,
    enabledTransports: ["ws"],
    disableStats: true,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, callback) =>
        callback(
          null,
          authority.authorizeChannel(socketId, channelName, { user_id: userId, user_info: { name: userId } }),
        ),
    },
  });
}

type Emitter = { bind(event: string, callback: (value: never) => void): unknown };

/** What comes with the next event of that name. */
export const next = <T = unknown>(emitter: Emitter, event: string): Promise<T> =>
  new Promise((resolve) => emitter.bind(event, (value) => resolve(value)));

/** The channel, once the server has let the client in. */
export async function subscribe(client: PusherClient, name: string): Promise<Channel> {
  const channel = client.subscribe(name);
  await next(channel, "pusher:subscription_succeeded");
  return channel;
}
