import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseConnection } from "#db/client";
import { listen } from "#db/listen";
import type { PusherSettings } from "#lib/platform/config/environment";
import { logger } from "#lib/platform/log/logger";
import { ChannelError, EventChannel } from "./event-channel.ts";
import { outboxChannel } from "./publish-event.ts";
import { relayEvents } from "./relay-events.ts";

const pollMs = 1_000;
const firstBackoffMs = 500;
const longestBackoffMs = 15_000;
/** How long a call under way may take to end when the relay is stopped. */
const graceMs = 1_000;

/**
 * Sends committed events from now on: at once, because each of them notifies, and every second for what a lost
 * connection has kept from notifying. A channel that is down holds up nothing else; it is tried again ever more seldom.
 *
 * @returns stops it; fulfilled when the call under way has ended
 */
export function startRelay(
  { db, url }: Pick<DatabaseConnection, "db" | "url">,
  settings: PusherSettings,
): () => Promise<void> {
  const channel = new EventChannel(settings);
  const stopping = new AbortController();
  let wakeUp = () => {};
  const unlisten = listen(url, outboxChannel, () => wakeUp());

  const loop = async () => {
    let backoffMs = 0;
    while (!stopping.signal.aborted) {
      const woken = Promise.withResolvers<void>();
      wakeUp = woken.resolve;
      let settled = 0;
      try {
        settled = await relayEvents(db, channel);
        if (backoffMs > 0) logger().info("events are sent again");
        backoffMs = 0;
      } catch (error) {
        const what = error instanceof ChannelError ? error.message : "Events cannot be sent";
        if (backoffMs === 0) logger().warn({ err: error }, what);
        backoffMs = Math.min(Math.max(backoffMs * 2, firstBackoffMs), longestBackoffMs);
      }
      if (settled > 0 && backoffMs === 0) continue; // There may be more.
      channel.rest();
      const pause = pausing(backoffMs || pollMs, stopping.signal);
      await (backoffMs > 0 ? pause : Promise.race([woken.promise, pause]));
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    unlisten();
    await Promise.race([running, delay(graceMs)]);
    channel.rest(); // Ends a call that a channel does not answer.
    await running;
  };
}

const pausing = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal, ref: false }).catch(() => {}); // Woken up to stop.
