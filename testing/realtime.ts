import Pusher from "pusher";
import PusherClient, { type Channel } from "pusher-js";
import { type RealtimeOptions, startRealtimeServer } from "#server/realtime/start-realtime-server";

export const credentials = { appId: "app", key: "key", secret: "secret-secret" };

/** Of end-to-end encrypted channels. */
const encryptionMasterKeyBase64 = Buffer.alloc(32, 7).toString("base64");

export type Realtime = Awaited<ReturnType<typeof startRealtime>>;

/** A realtime server on a port of its own, the server library's client of it, and browser libraries' ones. */
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
    /** A browser library's client, authorised as the named user for whatever it asks. */
    connect(userId = "anna", secret = credentials.secret, key = credentials.key): PusherClient {
      const client = browserClient(server.port, userId, secret, key);
      clients.push(client);
      return client;
    },
    /** Ends the server and starts another one on the same port, with nothing in its memory. */
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

function browserClient(port: number, userId: string, secret: string, key: string): PusherClient {
  const authority = new Pusher({ ...credentials, secret, host: "unused", encryptionMasterKeyBase64 });
  return new PusherClient(key, {
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
    userAuthentication: {
      ...{ transport: "ajax", endpoint: "" },
      customHandler: ({ socketId }, callback) =>
        callback(null, authority.authenticateUser(socketId, { id: userId })),
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
