import type { Agent } from "node:http";
import Pusher from "pusher";
import type { PusherSettings } from "#lib/platform/config/environment";

/**
 * The library's client for the service's side of the channel.
 *
 * @param agent holds its connections; left out: a new one for each call
 */
export function pusherClient(settings: PusherSettings, agent?: Agent): Pusher {
  const { appId, key, secret, host, port, useTls, cluster } = settings;
  const account = { appId, key, secret, useTLS: useTls, ...(agent && { agent }) };
  return host === null
    ? new Pusher({ ...account, cluster: cluster ?? "mt1" })
    : new Pusher({ ...account, host, ...(port === null ? {} : { port: String(port) }) });
}
