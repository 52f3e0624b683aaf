import { inArray, sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import type { Database } from "#db/client";
import { bossSchema } from "#lib/platform/jobs/boss-options";
import { partsQueue, queueNames } from "#lib/platform/jobs/catalogue";

/**
 * Wakes the free slots of queues that have a delivery to start. A new delivery notifies all slots. No notification comes
 * when a retry becomes due, or when a job ends that others of its project waited for. So one query each second looks for
 * such deliveries, in 9 ms if 100,000 wait. Otherwise each slot would have to ask each second: seven queries, each with locks.
 */
export async function wakeSlots(
  db: Database,
  boss: Pick<PgBoss, "getWipData" | "notifyWorker">,
): Promise<void> {
  const due = await db.execute<{ name: string }>(sql`
    select distinct delivery.name from ${sql.identifier(bossSchema)}.job delivery
    where ${inArray(sql`delivery.name`, [...queueNames, partsQueue])}
      and delivery.state < 'active' and not delivery.blocked and delivery.start_after <= now()`);
  const names = new Set(due.map(({ name }) => name));
  for (const { id, name, count } of boss.getWipData())
    if (count === 0 && names.has(name)) boss.notifyWorker(id);
}
