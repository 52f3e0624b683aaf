import type { Tone } from "#components/ui/badge.tsx";
import type { EventName } from "#lib/contract/realtime";
import type { Delivery, Webhook, WebhookFormat } from "#lib/contract/webhooks";

/** Names of the events, in the order of the form. */
export const eventTexts: Record<EventName, string> = {
  "scenario-completed": "Scenario completed",
  "scenario-failed": "Scenario failed",
  "scenario-updated": "Scenario changed",
  "scenario-deleted": "Scenario deleted",
  "model-trained": "Model trained or imported",
  "default-changed": "Default checkpoint changed",
  "checkpoint-created": "Checkpoint created",
  "checkpoint-failed": "Checkpoint failed",
  "checkpoint-updated": "Checkpoint changed",
  "checkpoint-deleted": "Checkpoint deleted",
  "dataset-changed": "Data changed",
  "project-updated": "Project settings changed",
  "job-updated": "Job status changed",
};

export const formatTexts: Record<WebhookFormat, string> = {
  standard: "Standard Webhooks",
  slack: "Slack",
  teams: "Microsoft Teams",
};

export const disabledTexts: Record<NonNullable<Webhook["disabledReason"]>, string> = {
  requested: "Disabled by an admin",
  gone: "The receiver answered 410 Gone",
  failing: "The receiver accepted nothing for a day",
};

export const deliveryTones: Record<Delivery["status"], Tone> = {
  Pending: "warn",
  Delivered: "good",
  Failed: "bad",
};
