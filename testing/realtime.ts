import Pusher from "pusher";
import PusherClient, { type Channel } from "pusher-js";
import { type RealtimeOptions, startRealtimeServer } from "#server/realtime/start-realtime-server";

export const credentials = { appId: "app", key: "key", secret: "secret-secret" };

/** Master key of end-to-end encrypted channels. */
const encryptionMasterKeyBase64 = Buffer.alloc(32, 7).toString("base64");

export type Realtime = Awaited<ReturnType<typeof startRealtime>>;

/** Starts a realtime server on a free port, with a client of the server library and clients of the browser library. */
export async function startRealtime(options: Partial<RealtimeOptions> = {}) {
  const start = (port: number) =>
    startRealtimeServer({ ...credentials, port, host: "127.0.0.1", ...options });
  let server = await start(0);
  const address = { host: "127.0.0.1", port: String(server.port), useTLS: false };
  const api = new Pusher({ ...credentials, ...address, encryptionMasterKeyBase64 });
  const clients: PusherClient[] = [];
  return {
    port: server.port,
    url: `ws://127.0.0.1:${server.port}/app/${credentials.key}?protocol=7`,
    api,
    /** Connects a client of the browser library. The credentials authorise it for any channel. */
    connect(account: Partial<typeof credentials> = {}): PusherClient {
      const client = browserClient(server.port, { ...credentials, ...account });
      clients.push(client);
      return client;
    },
    /** Restarts the server on the same port. The new server starts without state. */
    async restart(): Promise<void> {
      await server.close();
      server = await start(server.port);
    },
    async close(): Promise<void> {
      for (const client of clients.splice(0)) client.disconnect();
      await server.close();
    },
  };
}

function browserClient(port: number, account: typeof credentials): PusherClient {
  const authority = new Pusher({ ...account, host: "unused", encryptionMasterKeyBase64 });
  const user = { id: "anna", user_id: "anna" };
  return new PusherClient(account.key, {
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
          // Without a user, pusher-js does not subscribe to a presence channel.
          authority.authorizeChannel(
            socketId,
            channelName,
            channelName.startsWith("presence-") ? user : undefined,
          ),
        ),
    },
    userAuthentication: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId }, callback) => callback(null, authority.authenticateUser(socketId, user)),
    },
  });
}

type Emitter = { bind(event: string, callback: (value: never) => void): unknown };

/** Returns the data of the next event with that name. */
export const next = <T = unknown>(emitter: Emitter, event: string): Promise<T> =>
  new Promise((resolve) => emitter.bind(event, (value) => resolve(value)));

/** Subscribes to a channel, and returns it once the server has confirmed the subscription. */
export async function subscribe(client: PusherClient, name: string): Promise<Channel> {
  const channel = client.subscribe(name);
  await next(channel, "pusher:subscription_succeeded");
  return channel;
}
