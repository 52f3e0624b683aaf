import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { apiKeyUses, idempotencyKeys } from "#db/schema/access";
import { deleteUnusedUploads } from "#lib/domain/datasets/delete-unused-uploads";
import { forgetEvents } from "#lib/platform/realtime/forget-events";
import { forgetIdle } from "#lib/rate-limits/forget-idle";
import { forgetSessions } from "#lib/users/forget-sessions";

/** Removes what has had its time: answers kept for repeated requests, old events, idle limits, unused uploads, how much keys were used two months ago. */
export async function keepHouse(db: Database): Promise<void> {
  const aDayAgo = sql`now() - interval '24 hours'`;
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, aDayAgo));
  await db.delete(apiKeyUses).where(lt(apiKeyUses.day, sql`current_date - 60`));
  await forgetEvents(db);
  await forgetIdle(db);
  await forgetSessions(db);
  await deleteUnusedUploads(db);
}
