import { z } from "zod";
import { Id, Instant } from "./common.ts";

export const EventName = z.enum([
  "checkpoint-created",
  "checkpoint-failed",
  "checkpoint-deleted",
  "job-updated",
  "scenario-completed",
  "scenario-failed",
  "model-trained",
]);
export type EventName = z.infer<typeof EventName>;

/** Ids, not data: what changed is read over the API. A duplicate has the same `eventId`. */
export const EventPayload = z
  .object({
    eventId: Id,
    projectId: Id,
    entityId: Id,
    jobId: Id.nullable(),
    status: z.string().nullable(),
    label: z.string().nullable(),
    occurredAt: Instant,
  })
  .meta({ id: "EventPayload" });
export type EventPayload = z.infer<typeof EventPayload>;

export const channelOf = (projectId: string) => `private-project-${projectId}`;

export const RealtimeConnection = z
  .object({
    key: z.string(),
    host: z.string(),
    port: z.number().int(),
    tls: z.boolean(),
    channel: z.string(),
  })
  .meta({ id: "RealtimeConnection" });
export type RealtimeConnection = z.infer<typeof RealtimeConnection>;
