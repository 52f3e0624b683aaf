import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { apiKeyUses, idempotencyKeys } from "#db/schema/access";
import { deleteUnusedUploads } from "#lib/domain/datasets/delete-unused-uploads";
import { forgetSessions } from "#lib/domain/users/sessions";
import { forgetDeliveries } from "#lib/domain/webhooks/forget-deliveries";
import { forgetSecretLinks } from "#lib/platform/links/secret-links";
import { forgetMails } from "#lib/platform/mail/queue-mail";
import { forgetIdle } from "#lib/platform/rate-limits/count-call";
import { forgetConnectionEnds } from "#lib/platform/realtime/connection-ends";
import { forgetEvents } from "#lib/platform/realtime/forget-events";

/** Deletes expired data. */
export async function runHousekeeping(db: Database): Promise<void> {
  const dayAgo = sql`now() - interval '24 hours'`;
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, dayAgo));
  await db.delete(apiKeyUses).where(lt(apiKeyUses.day, sql`current_date - 60`));
  await forgetEvents(db);
  await forgetConnectionEnds(db);
  await forgetIdle(db);
  await forgetSessions(db);
  await forgetSecretLinks(db);
  await forgetMails(db);
  await deleteUnusedUploads(db);
  await forgetDeliveries(db);
}
