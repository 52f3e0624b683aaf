import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseConnection } from "#db/client";
import { listen } from "#db/listen";
import type { PusherSettings } from "#lib/platform/config/environment";
import { logger } from "#lib/platform/log/logger";
import { ChannelError } from "./channel-error.ts";
import { relayConnectionEnds } from "./connection-ends.ts";
import { EventChannel } from "./event-channel.ts";
import { outboxChannel } from "./publish-event.ts";
import { relayEvents } from "./relay-events.ts";

const pollMs = 1_000;
const firstBackoffMs = 500;
const longestBackoffMs = 15_000;
/** Time that a running call has to end when the relay stops. */
const graceMs = 1_000;

/**
 * Starts to send committed events: at once on each notification, and every second in case a lost connection missed one.
 * An unavailable channel delays nothing else and is retried with increasing delays.
 *
 * @returns a function that stops the relay; resolves when the running call has ended
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
        const [ends, events] = await Promise.allSettled([
          relayConnectionEnds(db, channel),
          relayEvents(db, channel),
        ]);
        if (events.status === "rejected") throw events.reason;
        if (ends.status === "rejected") throw ends.reason;
        settled = ends.value + events.value;
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
    channel.rest(); // Ends a call that the channel does not answer.
    await running;
  };
}

const pausing = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal, ref: false }).catch(() => {}); // The stop aborts the wait.
