import { z } from "zod";
import { eventNames } from "./channel.ts";
import { Id, Instant } from "./common.ts";

export const EventName = z.enum(eventNames);
export type EventName = z.infer<typeof EventName>;

/** Event data: IDs only. Clients read the changed resource over the API. A duplicate has the same `eventId`. */
export const EventPayload = z
  .object({
    eventId: Id.describe("Unique identifier of the event. A duplicate has the same ID."),
    projectId: Id.describe("ID of the project whose channel carries the event."),
    entityId: Id.describe(
      "ID of the checkpoint, scenario, model, dataset version, project or job that the event is about.",
    ),
    jobId: Id.nullable().describe("ID of the job that caused the event. `null` if a request caused it."),
    status: z.string().nullable().describe("Status of that job. `null` without a job."),
    label: z.string().nullable().describe("Label of the entity. For a job, its type."),
    occurredAt: Instant.describe("Time of the event."),
  })
  .meta({ id: "EventPayload" });
export type EventPayload = z.infer<typeof EventPayload>;

export const RealtimeConnection = z
  .object({
    key: z.string().describe("App key."),
    host: z.string().describe("Host of the channel server."),
    port: z.number().int().describe("Port of the channel server."),
    tls: z.boolean().describe("Whether to connect over TLS."),
    path: z
      .string()
      .optional()
      .describe("Path prefix before `/app/…`. Present if the channel server has such a prefix."),
    channel: z.string().describe("Name of the project's channel, `private-project-<projectId>`."),
    secondsSinceLastEvent: z
      .number()
      .min(0)
      .nullable()
      .describe(
        "Seconds since the newest event of the project was sent, never too many; 0 while one waits to be sent. `null`: none in the last minute. A client that has subscribed missed no change if more seconds have passed than since its first read.",
      ),
  })
  .meta({ id: "RealtimeConnection" });
export type RealtimeConnection = z.infer<typeof RealtimeConnection>;
