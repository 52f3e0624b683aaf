import Pusher from "pusher";
import type { PusherSettings } from "#lib/config/environment";

/** How long a call may take before it counts as failed. */
const timeoutMs = 5_000;

/** The library's client for the service's side of the channel. */
export function pusherClient({ appId, key, secret, host, port, useTls, cluster }: PusherSettings): Pusher {
  const account = { appId, key, secret, useTLS: useTls, timeout: timeoutMs };
  return host === null
    ? new Pusher({ ...account, cluster: cluster ?? "mt1" })
    : new Pusher({ ...account, host, ...(port === null ? {} : { port: String(port) }) });
}
