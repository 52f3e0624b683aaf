import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { callRates } from "#db/schema/access";
import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

/** A state that lies this much further ahead than a whole burst does not come from this rate. */
const strangeSeconds = 60;

/**
 * Counts one event of a subject if its rate allows it, across all processes: the database's clock and row decide. An
 * allowed one is one statement. The clock is read where the row is locked, so that those who waited for the lock are
 * judged by the present.
 *
 * It does not wait for the disk (`synchronous_commit`), since it is a part of every call: a database that crashes forgets
 * the last second's events at most. A state out of a clock that has been set back, or of a slower rate that held before a
 * restart, is cut to one that lets this event be the last of the burst: nobody is locked out by it.
 */
export async function countCall(db: Database, subject: string, rate: Rate): Promise<Verdict> {
  const now = sql`extract(epoch from clock_timestamp())::float8`;
  const step = sql`${cost(rate)}::float8`;
  const most = sql`${tolerance(rate)}::float8`;
  const strange = sql`${tolerance(rate) + cost(rate) + strangeSeconds}::float8`;
  const [counted] = await db.execute<{ ahead: number }>(sql`
    insert into ${callRates} as rate (subject, arrival)
    select ${subject}, ${now} + ${step} from set_config('synchronous_commit', 'off', true)
    on conflict (subject) do update set arrival = least(greatest(rate.arrival, ${now}), ${now} + ${most}) + ${step}
    where rate.arrival - ${now} <= ${most} or rate.arrival - ${now} > ${strange}
    returning arrival - ${now} as ahead`);
  if (counted) return verdict(rate, true, counted.ahead);
  const [refused] = await db.execute<{ ahead: number }>(
    sql`select arrival - ${now} as ahead from ${callRates} where subject = ${subject}`,
  );
  return verdict(rate, false, refused?.ahead ?? 0);
}

/** Takes an event back that has turned out not to count. */
export async function uncountCall(db: Database, subject: string, rate: Rate): Promise<void> {
  await db.execute(
    sql`update ${callRates} set arrival = arrival - ${cost(rate)}::float8 where subject = ${subject}`,
  );
}
