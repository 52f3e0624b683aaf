import { lt, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { callRates } from "#db/schema/access";
import { cost, type Rate, tolerance, type Verdict, verdict } from "./rate.ts";

// All processes together keep the rate limit, because they share one number per subject in PostgreSQL.
//
// Picture the limit as a clock that each event sets ahead by its cost, and that time catches up with. For example, a rate of
// 600 a minute with a burst of 100 has the cost 0.1 s. If an idle subject sends 100 events at once, the clock is 10 s ahead,
// and the next one is rejected. After 0.1 s one more is allowed, after 10 s again 100.
//
// Counting in each process would be simpler and fail: with three processes, a subject could send 300 events at once. A
// share of a third for each process would reject events while the other shares are unused. A count per minute would allow
// twice the limit around the turn of the minute.
//
// `take_calls` (db/migrations/0006_take_calls.sql) is the rule; `call-lease.ts` saves most of its calls.

export type Grant = {
  /** Number of granted events: waiting events within the rate, plus events taken in advance. */
  granted: number;
  /** Arrival time minus now, after the granted events. */
  aheadSeconds: number;
};

/** Counts one event of a subject if its rate allows it, across all processes. Uses the database's clock and row. */
export async function countCall(db: Queryable, subject: string, rate: Rate): Promise<Verdict> {
  const { granted, aheadSeconds } = await takeCalls(db, subject, rate, { waiting: 1 });
  return verdict(rate, granted === 1, aheadSeconds);
}

/**
 * Takes as many events of a subject as its rate allows, across all processes, by one statement.
 *
 * @param waiting number of waiting events
 * @param likely number of likely next events to take in advance if many are free
 * @param lasting number of further events to take in advance while almost none of the burst is used. Unused events
 *   expire, but a bucket that full refills at once.
 */
export async function takeCalls(
  db: Queryable,
  subject: string,
  rate: Rate,
  { waiting, likely = 0, lasting = 0 }: { waiting: number; likely?: number; lasting?: number },
): Promise<Grant> {
  const [taken] = await db.execute<{ granted: number; ahead: number }>(sql`
    select granted, ahead from take_calls(
      ${subject}, ${cost(rate)}, ${tolerance(rate)}, ${rate.burst}, ${waiting}, ${likely}, ${lasting})`);
  return { granted: taken!.granted, aheadSeconds: taken!.ahead };
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
