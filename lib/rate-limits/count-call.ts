import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { callRates } from "#db/schema/access";
import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

/**
 * Counts one event of a subject if its rate allows it, across all processes: the database's clock and row decide. An
 * allowed one is one statement. The clock is read where the row is locked, so that those who waited for the lock are
 * judged by the present.
 */
export async function countCall(db: Database, subject: string, rate: Rate): Promise<Verdict> {
  const now = sql`extract(epoch from clock_timestamp())::float8`;
  const step = cost(rate);
  const [counted] = await db.execute<{ ahead: number }>(sql`
    insert into ${callRates} as rate (subject, arrival) values (${subject}, ${now} + ${step}::float8)
    on conflict (subject) do update set arrival = greatest(rate.arrival, ${now}) + ${step}::float8
    where rate.arrival - ${now} <= ${tolerance(rate)}::float8
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
