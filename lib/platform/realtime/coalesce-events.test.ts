import fc from "fast-check";
import { expect, it } from "vitest";
import { coalesceEvents, type WaitingEvent } from "./coalesce-events.ts";

const id = (job: number) => `00000000-0000-7000-8000-00000000000${job}`;

const waiting = fc.array(fc.record({ job: fc.nat(2), update: fc.boolean() }), { maxLength: 40 }).map((all) =>
  all.map(
    ({ job, update }, index): WaitingEvent => ({
      sequence: index,
      projectId: id(9),
      name: update ? "job-updated" : "checkpoint-created",
      payload: {
        eventId: id(8),
        projectId: id(9),
        entityId: id(job),
        jobId: id(job),
        status: null,
        label: null,
        occurredAt: "2026-01-01T00:00:00.000Z",
      },
      createdAt: new Date(0),
      publishedAt: null,
    }),
  ),
);

it("keeps the order, all other events, and the last four updates of each job", () => {
  fc.assert(
    fc.property(waiting, (events) => {
      const kept = coalesceEvents(events);
      const dropped = events.filter((event) => !kept.includes(event));
      expect(kept).toEqual(events.filter((event) => kept.includes(event)));
      for (const event of dropped) {
        expect(event.name).toBe("job-updated");
        const later = kept.filter(
          ({ name, sequence, payload }) =>
            name === "job-updated" &&
            sequence > event.sequence &&
            payload.entityId === event.payload.entityId,
        );
        expect(later).toHaveLength(4);
      }
      for (const job of [0, 1, 2]) {
        const updates = kept.filter(
          ({ name, payload }) => name === "job-updated" && payload.entityId === id(job),
        );
        expect(updates.length).toBeLessThanOrEqual(4);
      }
    }),
  );
});
