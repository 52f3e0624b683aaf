import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import { logger } from "#lib/platform/log/logger";

/**
 * Deletes events a day after they were sent, and events that have waited for a channel for a week. Events carry ids and
 * no data, and a page that connects reads the current state anyway.
 */
export async function forgetEvents(db: Database): Promise<void> {
  await db.delete(outboxEvents).where(lt(outboxEvents.publishedAt, sql`now() - interval '24 hours'`));
  const old = sql`${outboxEvents.publishedAt} is null and ${outboxEvents.createdAt} < now() - interval '7 days'`;
  const { count } = await db.delete(outboxEvents).where(old);
  if (count > 0)
    logger().error({ count }, "events were deleted: no channel has accepted them for seven days");
}
