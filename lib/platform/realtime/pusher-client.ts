import type { Agent } from "node:http";
import Pusher from "pusher";
import { environment, type PusherSettings } from "#lib/platform/config/environment";
import { DomainError } from "#lib/platform/errors/domain-error";

/**
 * Returns the Pusher library's client for publishing.
 *
 * @param timeout milliseconds to wait for the head of a response
 * @param agent agent that keeps connections open; default: a new connection for each call
 */
export function pusherClient(settings: PusherSettings, agent?: Agent, timeout?: number): Pusher {
  const { appId, key, secret, host, port, useTls, cluster } = settings;
  const account = {
    appId,
    key,
    secret,
    useTLS: useTls,
    ...(agent && { agent }),
    ...(timeout && { timeout }),
  };
  return host === null
    ? new Pusher({ ...account, cluster: cluster ?? "mt1" })
    : new Pusher({ ...account, host, ...(port === null ? {} : { port: String(port) }) });
}

/** @throws {DomainError} service_unavailable if no realtime service is configured */
export function requirePusher(): PusherSettings {
  const { pusher } = environment();
  if (pusher !== null) return pusher;
  throw new DomainError(
    "service_unavailable",
    "No realtime service is configured (PUSHER_APP_ID, PUSHER_KEY and PUSHER_SECRET): poll the jobs instead.",
    { retryAfterSeconds: 60, lacks: "realtime" },
  );
}
