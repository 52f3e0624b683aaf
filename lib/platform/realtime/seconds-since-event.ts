import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import { recentEventSeconds } from "#lib/contract/channel";

/**
 * Returns how many seconds ago the newest event of a project was sent. An event counts as sent once the relay has marked it,
 * which is up to a second after it left, so the number may be too small, but never too large. Reads the last minute only,
 * so that it stays quick however many events all projects have.
 *
 * @returns 0 while an event waits to be sent; null without an event in the last minute
 */
export async function secondsSinceEvent(db: Database, projectId: string): Promise<number | null> {
  const { publishedAt } = outboxEvents;
  const isWaiting = isNull(publishedAt);
  const [row] = await db
    .select({
      isWaiting: sql<boolean | null>`bool_or(${isWaiting})`,
      seconds: sql<
        number | null
      >`round(extract(epoch from clock_timestamp() - max(${publishedAt})), 3)::float8`,
    })
    .from(outboxEvents)
    .where(
      and(
        eq(outboxEvents.projectId, projectId),
        or(isWaiting, gt(publishedAt, sql`now() - ${recentEventSeconds} * interval '1 second'`)),
      ),
    );
  return row?.isWaiting ? 0 : (row?.seconds ?? null);
}
