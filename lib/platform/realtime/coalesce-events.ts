import type { outboxEvents } from "#db/schema/jobs";

export type WaitingEvent = typeof outboxEvents.$inferSelect;

/** Contract, section 9: "`job-updated` (at most four a second a job)". */
const jobUpdatesAtOnce = 4;

/**
 * What is to be sent of the waiting events, in their order. Where more than four updates of a job have gathered (the
 * channel was down), the last four tell all that there is to know.
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
