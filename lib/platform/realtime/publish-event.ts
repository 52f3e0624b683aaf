import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import type { EventName } from "#lib/contract/realtime";
import { newId } from "#lib/platform/ids/new-id";

/** Name of the notification channel that the relay listens to. */
export const outboxChannel = "outbox_events";

type EventToPublish = {
  projectId: string;
  name: EventName;
  /** Identifier of the checkpoint, job, scenario, model, project or dataset version. */
  entityId: string;
  jobId: string | null;
  status: string | null;
  label: string | null;
};

/**
 * Records an event for the project's channel in the caller's transaction. A rollback removes it. After the commit, the
 * worker's relay sends it at least once, always with the same `eventId`.
 */
export async function publishEvent(tx: Transaction, { name, ...event }: EventToPublish): Promise<void> {
  const payload = { eventId: newId(), ...event, occurredAt: new Date().toISOString() };
  await tx.insert(outboxEvents).values({ projectId: event.projectId, name, payload });
  await tx.execute(sql`select pg_notify(${outboxChannel}, '')`);
}
