import type { ZodOpenApiObject } from "zod-openapi";
import { channelOf } from "#lib/contract/channel";
import { EventName, EventPayload } from "#lib/contract/realtime";
import { event, eventOfJob } from "./examples/objects.ts";

const meanings: Record<EventName, string> = {
  "checkpoint-created": "A checkpoint is complete and appears in the list",
  "checkpoint-failed": "The creation of a checkpoint failed. Its job holds the reason",
  "checkpoint-deleted": "A checkpoint has been deleted",
  "job-updated": "The status or progress of a job has changed",
  "scenario-completed": "The predictions of a scenario are available",
  "scenario-failed":
    "The job of a scenario failed. The job holds the reason. A cancelled job sends only `job-updated`",
  "model-trained": "A model was trained or imported and is now the current model",
};

const delivery = `Arrives on the Pusher channel \`${channelOf("{projectId}")}\`, not as an HTTP request. The body is the event's data. \`getRealtime\` returns the channel, and \`authorizeChannel\` authorises the subscription. Delivery is at least once: a duplicate has the same \`eventId\`.`;

const exampleOf = (name: EventName) => (name === "job-updated" ? eventOfJob : event);

/** Events of the channel. OpenAPI describes unrequested messages as webhooks. */
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
        responses: { default: { description: "Clients do not respond to events." } },
      },
    },
  ]),
);
