import type { outboxEvents } from "#db/schema/jobs";

export type WaitingEvent = typeof outboxEvents.$inferSelect;

/** Maximum number of `job-updated` events of a job per second. */
const jobUpdatesAtOnce = 4;

/**
 * Returns the waiting events to send, in their order. If more than four updates of a job have accumulated during an
 * outage of the channel, only the last four are sent.
 */
export function coalesceEvents(events: readonly WaitingEvent[]): WaitingEvent[] {
  const later = new Map<string, number>();
  return events
    .toReversed()
    .filter(({ name, payload }) => {
      if (name !== "job-updated") return true;
      const count = later.get(payload.entityId) ?? 0;
      later.set(payload.entityId, count + 1);
      return count < jobUpdatesAtOnce;
    })
    .reverse();
}
