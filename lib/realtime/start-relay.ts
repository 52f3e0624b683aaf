import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseConnection } from "#db/client";
import type { PusherSettings } from "#lib/config/environment";
import { logger } from "#lib/log/logger";
import { outboxChannel } from "./publish-event.ts";
import { pusherClient } from "./pusher-client.ts";
import { relayEvents } from "./relay-events.ts";

const pollMs = 1_000;
const firstBackoffMs = 500;
const longestBackoffMs = 15_000;

/**
 * Sends committed events from now on: at once, because each of them notifies, and every second for what a lost
 * connection has kept from notifying. A channel that is down holds up nothing else; it is tried again ever more seldom.
 *
 * @returns stops it; fulfilled when the call under way has ended
 */
export async function startRelay(
  { db, sql }: Pick<DatabaseConnection, "db" | "sql">,
  settings: PusherSettings,
): Promise<() => Promise<void>> {
  const pusher = pusherClient(settings);
  const stopping = new AbortController();
  let wakeUp = () => {};
  const listener = await sql.listen(outboxChannel, () => wakeUp());

  const loop = async () => {
    let backoffMs = 0;
    while (!stopping.signal.aborted) {
      const woken = Promise.withResolvers<void>();
      wakeUp = woken.resolve;
      let settled = 0;
      try {
        settled = await relayEvents(db, pusher);
        if (backoffMs > 0) logger().info("the realtime channel answers again");
        backoffMs = 0;
      } catch (error) {
        if (backoffMs === 0) logger().warn({ err: error }, "the realtime channel does not take events");
        backoffMs = Math.min(Math.max(backoffMs * 2, firstBackoffMs), longestBackoffMs);
      }
      if (settled > 0 && backoffMs === 0) continue; // There may be more.
      const pause = pausing(backoffMs || pollMs, stopping.signal);
      await (backoffMs > 0 ? pause : Promise.race([woken.promise, pause]));
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await listener.unlisten();
    await running;
  };
}

const pausing = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal, ref: false }).catch(() => {}); // Woken up to stop.
