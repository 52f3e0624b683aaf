import type { ZodOpenApiObject } from "zod-openapi";
import { channelOf } from "#lib/contract/channel";
import { EventName, EventPayload } from "#lib/contract/realtime";
import { ids } from "./examples/ids.ts";

const meanings: Record<EventName, string> = {
  "checkpoint-created": "A checkpoint is complete and appears in the list",
  "checkpoint-failed": "The creation of a checkpoint failed. Its job holds the reason",
  "checkpoint-deleted": "A checkpoint has been deleted",
  "job-updated": "The status or progress of a job has changed",
  "scenario-completed": "The predictions of a scenario are available",
  "scenario-failed":
    "The job of a scenario failed. The job holds the reason. A cancelled job sends only `job-updated`",
  "model-trained": "A model was trained or imported and is now the current model",
  "default-changed":
    "Another checkpoint is the default, so `predict` may use another model. `entityId` is the new default, or the project if no checkpoint remains. `jobId` is the job that created the checkpoint; `null` after an update or a deletion",
  "checkpoint-updated": "The label or description of a checkpoint has changed",
  "scenario-updated": "The title, description, notes, tags, colour or overrides of a scenario have changed",
  "scenario-deleted": "A scenario has been deleted",
  "project-updated":
    "The name, description, display, dependencies or members of the project have changed. `entityId` is the project",
  "dataset-changed":
    "The dataset was replaced, or its rows or settings have changed. `entityId` is the new version",
};

/** Example of an event that a job causes. */
const ofScenarioJob: EventPayload = {
  eventId: ids.event,
  projectId: ids.project,
  entityId: ids.scenario,
  jobId: ids.job,
  status: "Completed",
  label: "Warm February",
  occurredAt: "2026-02-01T07:00:02.351Z",
};

/** Examples of events that requests cause. */
const ofRequests: Partial<Record<EventName, Pick<EventPayload, "entityId" | "label">>> = {
  "default-changed": { entityId: ids.checkpoint, label: "Winter 2026" },
  "checkpoint-updated": { entityId: ids.checkpoint, label: "Winter 2026" },
  "scenario-updated": { entityId: ids.scenario, label: "Warm February" },
  "scenario-deleted": { entityId: ids.scenario, label: "Warm February" },
  "project-updated": { entityId: ids.project, label: "Energy" },
  "dataset-changed": { entityId: ids.dataset, label: "demand.csv" },
};

const delivery = `Arrives on the Pusher channel \`${channelOf("{projectId}")}\`, not as an HTTP request. The body is the event's data. \`getRealtime\` returns the channel, and \`authorizeChannel\` authorises the subscription. Delivery is at least once: a duplicate has the same \`eventId\`.`;

function exampleOf(name: EventName): EventPayload {
  if (name === "job-updated") return { ...ofScenarioJob, entityId: ids.job, label: "CreateScenario" };
  const ofRequest = ofRequests[name];
  return { ...ofScenarioJob, ...(ofRequest && { ...ofRequest, jobId: null, status: null }) };
}

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
