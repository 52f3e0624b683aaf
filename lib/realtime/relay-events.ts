import { asc, inArray, isNull, sql } from "drizzle-orm";
import type Pusher from "pusher";
import type { Database } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import { channelOf } from "#lib/contract/realtime";
import { coalesceEvents, type WaitingEvent } from "./coalesce-events.ts";

/** Pusher's limit on the events of one call. */
const eventsPerCall = 10;
const eventsPerTurn = 200;

/** Held by the relay whose turn it is. Any number that nothing else locks; it spells "outb" in ASCII. */
export const relayLock = 0x6f_75_74_62;

/**
 * Sends the events that wait in the outbox, in the order in which they were written. One worker at a time does it, so
 * that none overtakes another. An event whose sending was not confirmed is sent again, with the same `eventId`.
 *
 * @returns how many have been settled; 0 also while another worker is at it
 * @throws what the channel answers or does not answer; the calls before that count
 */
export async function relayEvents(db: Database, pusher: Pusher): Promise<number> {
  let failure: unknown = null;
  const settled = await db.transaction(async (tx) => {
    const [turn] = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${relayLock}) as mine`,
    );
    if (!turn?.mine) return 0;
    const waiting = await tx
      .select()
      .from(outboxEvents)
      .where(isNull(outboxEvents.publishedAt))
      .orderBy(asc(outboxEvents.sequence))
      .limit(eventsPerTurn);
    const wanted = coalesceEvents(waiting);
    let sent = 0;
    while (sent < wanted.length && failure === null) {
      try {
        const call = wanted.slice(sent, sent + eventsPerCall);
        await pusher.triggerBatch(call.map(toPusher));
        sent += call.length;
      } catch (error) {
        failure = error ?? new Error("The channel refused events");
      }
    }
    const until = wanted[sent]?.sequence ?? Number.POSITIVE_INFINITY;
    const done = waiting.filter(({ sequence }) => sequence < until).map(({ sequence }) => sequence);
    if (done.length > 0) {
      await tx
        .update(outboxEvents)
        .set({ publishedAt: sql`clock_timestamp()` })
        .where(inArray(outboxEvents.sequence, done));
    }
    return done.length;
  });
  if (failure !== null) throw failure;
  return settled;
}

function toPusher({ projectId, name, payload }: WaitingEvent): Pusher.BatchEvent {
  return { channel: channelOf(projectId), name, data: payload };
}
