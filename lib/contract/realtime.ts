import { z } from "zod";
import { eventNames } from "./channel.ts";
import { Id, Instant } from "./common.ts";

export const EventName = z.enum(eventNames);
export type EventName = z.infer<typeof EventName>;

/** Ids, not data: what changed is read over the API. A duplicate has the same `eventId`. */
export const EventPayload = z
  .object({
    eventId: Id.meta({ description: "A duplicate has the same" }),
    projectId: Id.meta({ description: "Whose channel it came by" }),
    entityId: Id.meta({ description: "The checkpoint, scenario, model or job that it is about" }),
    jobId: Id.nullable().meta({ description: "The job that did it" }),
    status: z.string().nullable().meta({ description: "Status of that job" }),
    label: z.string().nullable().meta({ description: "What it is called; for a job its type" }),
    occurredAt: Instant.meta({ description: "When it happened" }),
  })
  .meta({ id: "EventPayload" });
export type EventPayload = z.infer<typeof EventPayload>;

export const RealtimeConnection = z
  .object({
    key: z.string().meta({ description: "App key" }),
    host: z.string().meta({ description: "Host of the channel server" }),
    port: z.number().int().meta({ description: "Its port" }),
    tls: z.boolean().meta({ description: "Whether to connect by TLS" }),
    path: z
      .string()
      .optional()
      .meta({ description: "Stands before `/app/…`, where the server has such a prefix" }),
    channel: z.string().meta({ description: "The project's channel, `private-project-<projectId>`" }),
  })
  .meta({ id: "RealtimeConnection" });
export type RealtimeConnection = z.infer<typeof RealtimeConnection>;
