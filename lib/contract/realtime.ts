import { z } from "zod";
import { eventNames } from "./channel.ts";
import { Id, Instant } from "./common.ts";

export const EventName = z.enum(eventNames);
export type EventName = z.infer<typeof EventName>;

/** Event data: IDs only. Clients read the changed resource over the API. A duplicate has the same `eventId`. */
export const EventPayload = z
  .object({
    eventId: Id.meta({ description: "Unique identifier of the event. A duplicate has the same ID." }),
    projectId: Id.meta({ description: "ID of the project whose channel carries the event." }),
    entityId: Id.meta({
      description: "ID of the checkpoint, scenario, model or job that the event is about.",
    }),
    jobId: Id.nullable().meta({ description: "ID of the job that caused the event." }),
    status: z.string().nullable().meta({ description: "Status of that job." }),
    label: z.string().nullable().meta({ description: "Label of the entity. For a job, its type." }),
    occurredAt: Instant.meta({ description: "Time of the event." }),
  })
  .meta({ id: "EventPayload" });
export type EventPayload = z.infer<typeof EventPayload>;

export const RealtimeConnection = z
  .object({
    key: z.string().meta({ description: "App key." }),
    host: z.string().meta({ description: "Host of the channel server." }),
    port: z.number().int().meta({ description: "Port of the channel server." }),
    tls: z.boolean().meta({ description: "Whether to connect over TLS." }),
    path: z
      .string()
      .optional()
      .meta({ description: "Path prefix before `/app/…`. Present if the channel server has such a prefix." }),
    channel: z
      .string()
      .meta({ description: "Name of the project's channel, `private-project-<projectId>`." }),
  })
  .meta({ id: "RealtimeConnection" });
export type RealtimeConnection = z.infer<typeof RealtimeConnection>;
