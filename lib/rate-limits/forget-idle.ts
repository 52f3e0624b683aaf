import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { callRates } from "#db/schema/access";

/** Removes the state of those whose whole burst is there again: without it they are judged the same. */
export async function forgetIdle(db: Database): Promise<void> {
  await db.delete(callRates).where(lt(callRates.arrival, sql`extract(epoch from clock_timestamp())::float8`));
}
