import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { callRates } from "#db/schema/access";
import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

/** Maximum seconds beyond a whole burst. A state further ahead does not come from this rate. */
const strangeSeconds = 60;
/** Share of the free calls that one process may take in advance. */
const spareShare = 0.01;
/** Most events to take in advance: more than a process can use in time, and within an `integer` for any limit. */
const mostInAdvance = 1_000_000;
/** Share of a burst that calls taken in advance must leave free. */
const untouchedShare = 0.97;

export type Grant = {
  /** Number of granted events: waiting events within the rate, plus events taken in advance. */
  granted: number;
  /** Arrival time minus now, after the granted events. */
  aheadSeconds: number;
};

/** Counts one event of a subject if its rate allows it, across all processes. Uses the database's clock and row. */
export async function countCall(db: Database, subject: string, rate: Rate): Promise<Verdict> {
  const { granted, aheadSeconds } = await takeCalls(db, subject, rate, { waiting: 1 });
  return verdict(rate, granted === 1, aheadSeconds);
}

/**
 * Takes as many events of a subject as its rate allows, across all processes. Needs one statement if at least one event
 * is allowed. The clock is read under the row lock, so that waiting for the lock does not use an old time.
 *
 * Commits without waiting for the disk (`synchronous_commit`), because many calls need it. A database crash loses at
 * most the last second's events. A clock set back, or a slower rate before a restart, may leave a state too far ahead.
 * That state is reduced so that this event is the last of the burst, so no subject is locked out.
 *
 * @param waiting number of waiting events
 * @param likely number of likely next events to take in advance if many are free
 * @param lasting number of further events to take in advance while almost none of the burst is used. Unused events
 *   expire, but a bucket that full refills at once.
 */
export async function takeCalls(
  db: Database,
  subject: string,
  rate: Rate,
  { waiting, likely = 0, lasting = 0 }: { waiting: number; likely?: number; lasting?: number },
): Promise<Grant> {
  const now = sql`extract(epoch from clock_timestamp())::float8`;
  const step = sql`${cost(rate)}::float8`;
  const most = sql`${tolerance(rate)}::float8`;
  const strange = sql`${tolerance(rate) + cost(rate) + strangeSeconds}::float8`;
  const wanted = sql`${waiting}::float8`;
  const untouched = sql`${untouchedShare * rate.burst}::float8`;
  const [atLeast, atMost] = [likely, lasting].map((count) => sql`${Math.min(count, mostInAdvance)}::float8`);
  const spare = sql`greatest(${atLeast}, least(${atMost}, floor(free - ${wanted} - ${untouched})))`;
  const beyond = sql`greatest(0, least(${spare}, floor((free - ${wanted}) * ${spareShare}::float8)))`;
  const given = (arrival: ReturnType<typeof sql>) => sql`
    select base + granted * ${step} as arrival, granted from (
      select base, least(${wanted}, free) + ${beyond} as granted from (
        select base, 1 + floor((now + ${most} - base) / ${step}) as free from (
          select now, least(greatest(${arrival}, now), now + ${most}) as base from (select ${now} as now) clock
        ) state
      ) room
    ) taken`;
  const [taken] = await db.execute<{ ahead: number; granted: number }>(sql`
    insert into ${callRates} as rate (subject, arrival, granted)
    select ${subject}, taken.arrival, taken.granted
    from (${given(sql`0::float8`)}) taken, set_config('synchronous_commit', 'off', true)
    on conflict (subject) do update set (arrival, granted) = (${given(sql`rate.arrival`)})
    where rate.arrival - ${now} <= ${most} or rate.arrival - ${now} > ${strange}
    returning arrival - ${now} as ahead, granted`);
  if (taken) return { granted: taken.granted, aheadSeconds: taken.ahead };
  const [rejected] = await db.execute<{ ahead: number }>(
    sql`select arrival - ${now} as ahead from ${callRates} where subject = ${subject}`,
  );
  return { granted: 0, aheadSeconds: rejected?.ahead ?? 0 };
}

/** Returns a counted event to the bucket. */
export async function uncountCall(db: Database, subject: string, rate: Rate): Promise<void> {
  await db.execute(
    sql`update ${callRates} set arrival = arrival - ${cost(rate)}::float8 where subject = ${subject}`,
  );
}

/** Deletes states whose whole burst is free again. A missing state gives the same verdict. */
export async function forgetIdle(db: Database): Promise<void> {
  await db.delete(callRates).where(lt(callRates.arrival, sql`extract(epoch from clock_timestamp())::float8`));
}
