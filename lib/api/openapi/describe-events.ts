import type { ZodOpenApiObject } from "zod-openapi";
import { channelOf } from "#lib/contract/channel";
import { EventName, EventPayload } from "#lib/contract/realtime";
import { event, eventOfJob } from "./examples/objects.ts";

const meanings: Record<EventName, string> = {
  "checkpoint-created": "A checkpoint is complete, and appears in the list",
  "checkpoint-failed": "A checkpoint could not be made; its job says why",
  "checkpoint-deleted": "A checkpoint's artifacts have been removed",
  "job-updated": "A job's state or progress has changed",
  "scenario-completed": "A scenario's predictions can be read",
  "scenario-failed": "A scenario's job Failed; it says why. Of one that was Cancelled `job-updated` tells",
  "model-trained": "A model was trained or imported, and is the current one",
};

const delivery = `Comes over the Pusher channel \`${channelOf("{projectId}")}\`, not as an HTTP request: the body is the event's data. \`getRealtime\` tells where the channel is, \`authorizeChannel\` lets a client in. Delivered at least once; a duplicate has the same \`eventId\`.`;

const exampleOf = (name: EventName) => (name === "job-updated" ? eventOfJob : event);

/** What comes by the channel. OpenAPI's word for what nobody has asked for is webhook. */
export const channelEvents: NonNullable<ZodOpenApiObject["webhooks"]> = Object.fromEntries(
  EventName.options.map((name) => [
    name,
    {
      post: {
        operationId: `on-${name}`,
        tags: ["Realtime"],
        summary: meanings[name],
        description: delivery,
        security: [],
        requestBody: {
          content: {
            "application/json": { schema: EventPayload, examples: { event: { value: exampleOf(name) } } },
          },
        },
        responses: { default: { description: "Nothing is answered to an event" } },
      },
    },
  ]),
);
