import { asc, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import { logger } from "#lib/platform/log/logger";
import { coalesceEvents, type WaitingEvent } from "./coalesce-events.ts";
import { ChannelError, type EventChannel } from "./event-channel.ts";

/** Pusher's limit on the events of one call. */
const eventsPerCall = 10;
/** Among so many at once it is seen which need not be sent. */
const eventsPerTurn = 200;
/** After that time what has been sent is marked, so that a relay that dies repeats little. */
const turnMs = 500;

/** Held by the relay whose turn it is. Any number that nothing else locks; it spells "outb" in ASCII. */
export const relayLock = 0x6f_75_74_62;

/**
 * Sends the next events that wait in the outbox, in the order in which they were committed. One worker at a time does it, so that none overtakes another. An event whose sending was not confirmed is sent again,
 * with the same `eventId`.
 *
 * @returns how many have been settled; 0 also while another worker is at it
 * @throws {ChannelError} what the channel answers or does not answer; then all of them wait still
 */
export async function relayEvents(db: Database, channel: EventChannel): Promise<number> {
  return db.transaction(async (tx) => {
    const [turn] = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${relayLock}) as mine`,
    );
    if (!turn?.mine) return 0;
    // A relay that stands still in the midst of its call (its machine is cut off) loses its turn. It is longer than all
    // of a turn's calls may take.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '60s'`);
    const waiting = await tx
      .select()
      .from(outboxEvents)
      .where(isNull(outboxEvents.publishedAt))
      .orderBy(asc(outboxEvents.sequence))
      .limit(eventsPerTurn);
    if (waiting.length === 0) return 0;
    const wanted = coalesceEvents(waiting);
    const endAt = performance.now() + turnMs;
    let sent = await sendFirst(channel, wanted);
    try {
      while (sent < wanted.length && performance.now() < endAt) {
        sent += await sendFirst(channel, wanted.slice(sent));
      }
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error; // The next turn meets it; what was sent counts.
    }
    const until = wanted[sent]?.sequence ?? Number.POSITIVE_INFINITY;
    const done = waiting.filter(({ sequence }) => sequence < until).map(({ sequence }) => sequence);
    await tx
      .update(outboxEvents)
      .set({ publishedAt: sql`clock_timestamp()` })
      .where(inArray(outboxEvents.sequence, done));
    return done.length;
  });
}

/**
 * Sends the first of the events: ten in one call, and fewer where the channel refuses them (Reverb takes 10 kB a call).
 * One that is refused alone, by a channel that is well otherwise, would be refused for ever and hold up all the others:
 * it is given up, and the log says so.
 *
 * @returns how many have been settled, at least one
 */
async function sendFirst(channel: EventChannel, events: readonly WaitingEvent[]): Promise<number> {
  let refusal: ChannelError | null = null;
  for (let count = Math.min(eventsPerCall, events.length); count > 0; count = Math.floor(count / 2)) {
    try {
      await channel.send(events.slice(0, count));
      return count;
    } catch (error) {
      if (!(error instanceof ChannelError && error.isRefusal)) throw error;
      refusal = error;
    }
  }
  const [{ name, payload }] = events as [WaitingEvent];
  await channel.greet(events[0]!);
  logger().error(
    { err: refusal, event: name, payload },
    "the realtime channel refuses an event: it is given up",
  );
  return 1;
}
