import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { callRates } from "#db/schema/access";
import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

/** A state that lies this much further ahead than a whole burst does not come from this rate. */
const strangeSeconds = 60;
/** The part of what is free that one process may take beyond what it needs at once. */
const spareShare = 0.01;
/** The part of a burst that has to stay free of what nobody may come for. */
const untouchedShare = 0.97;

export type Grant = {
  /** How many events may happen: of those that wait as many as the rate allows, then what was taken beyond them. */
  granted: number;
  /** The arrival time minus now, after them. */
  aheadSeconds: number;
};

/** Counts one event of a subject if its rate allows it, across all processes: the database's clock and row decide. */
export async function countCall(db: Database, subject: string, rate: Rate): Promise<Verdict> {
  const { granted, aheadSeconds } = await takeCalls(db, subject, rate, { waiting: 1 });
  return verdict(rate, granted === 1, aheadSeconds);
}

/**
 * Takes events of a subject, as many as its rate allows, across all processes. Where at least one is allowed it is one
 * statement. The clock is read where the row is locked, so that those who waited for the lock are judged by the present.
 *
 * It does not wait for the disk (`synchronous_commit`), since it is a part of many calls: a database that crashes forgets
 * the last second's events at most. A state out of a clock that has been set back, or of a slower rate that held before a
 * restart, is cut to one that lets this event be the last of the burst: nobody is locked out by it.
 *
 * @param waiting how many want to happen now
 * @param likely how many more to take for those that are likely to come next, where plenty is free
 * @param lasting how many more to take, likely to come or not, so that some are held for longer: where next to nothing of
 *   the burst is used. What time passes is lost, but a bucket as full as that is given it back at once.
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
  const spare = sql`greatest(${likely}::float8, least(${lasting}::float8, floor(free - ${wanted} - ${untouched})))`;
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
  const [refused] = await db.execute<{ ahead: number }>(
    sql`select arrival - ${now} as ahead from ${callRates} where subject = ${subject}`,
  );
  return { granted: 0, aheadSeconds: refused?.ahead ?? 0 };
}

/** Takes an event back that has turned out not to count. */
export async function uncountCall(db: Database, subject: string, rate: Rate): Promise<void> {
  await db.execute(
    sql`update ${callRates} set arrival = arrival - ${cost(rate)}::float8 where subject = ${subject}`,
  );
}
