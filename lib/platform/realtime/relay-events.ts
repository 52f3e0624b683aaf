import { asc, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import { logger } from "#lib/platform/log/logger";
import { ChannelError } from "./channel-error.ts";
import { coalesceEvents, type WaitingEvent } from "./coalesce-events.ts";
import type { EventChannel } from "./event-channel.ts";

/** Pusher's limit on the events of one call. */
const eventsPerCall = 10;
/** Number of events coalesced at a time. */
const eventsPerBatch = 200;
/** Time after which sent events are marked, so that a crashed relay repeats few events. */
const batchMs = 500;

/** Key of the advisory lock held by the active relay: "outb" in ASCII. */
export const relayLock = 0x6f_75_74_62;

/**
 * Sends the next events of the outbox in commit order. One worker at a time does so, which keeps the order. An event
 * without a confirmation is sent again with the same `eventId`.
 *
 * @returns the number of settled events; 0 while another worker is active
 * @throws {ChannelError} if the channel rejects the call or does not respond; all events stay in the outbox
 */
export async function relayEvents(db: Database, channel: EventChannel): Promise<number> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ acquired: boolean }>(
      sql`select pg_try_advisory_xact_lock(${relayLock}) as acquired`,
    );
    if (!lock?.acquired) return 0;
    // Frees the lock of a relay that hangs during a call, for example after a network failure. The limit exceeds the
    // total time of all calls.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '60s'`);
    const waiting = await tx
      .select()
      .from(outboxEvents)
      .where(isNull(outboxEvents.publishedAt))
      .orderBy(asc(outboxEvents.sequence))
      .limit(eventsPerBatch);
    if (waiting.length === 0) return 0;
    const coalesced = coalesceEvents(waiting);
    const endAt = performance.now() + batchMs;
    let sent = await sendFirst(channel, coalesced);
    try {
      while (sent < coalesced.length && performance.now() < endAt) {
        sent += await sendFirst(channel, coalesced.slice(sent));
      }
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error; // The next run meets the error again; sent events count.
    }
    const until = coalesced[sent]?.sequence ?? Number.POSITIVE_INFINITY;
    const done = waiting.filter(({ sequence }) => sequence < until).map(({ sequence }) => sequence);
    await tx
      .update(outboxEvents)
      .set({ publishedAt: sql`clock_timestamp()` })
      .where(inArray(outboxEvents.sequence, done));
    return done.length;
  });
}

/**
 * Sends the first events: ten in one call, or fewer if the channel rejects the call (Reverb accepts 10 kB per call).
 * Drops an event that a healthy channel rejects on its own, and logs it. Otherwise it would block all later events.
 *
 * @returns the number of settled events, at least one
 */
async function sendFirst(channel: EventChannel, events: readonly WaitingEvent[]): Promise<number> {
  let rejection: ChannelError | null = null;
  for (let count = Math.min(eventsPerCall, events.length); count > 0; count = Math.floor(count / 2)) {
    try {
      await channel.send(events.slice(0, count));
      return count;
    } catch (error) {
      if (!(error instanceof ChannelError && error.isRejection)) throw error;
      rejection = error;
    }
  }
  const [{ name, payload }] = events as [WaitingEvent];
  await channel.greet();
  logger().error(
    { err: rejection, event: name, payload },
    "the realtime channel rejects an event: the event is dropped",
  );
  return 1;
}
