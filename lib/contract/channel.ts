// Kept apart from the schemas, so that pages that listen to events do not load the validator.

export const channelOf = (projectId: string) => `private-project-${projectId}`;

/** Names of the events on a project's channel. */
export const eventNames = [
  "checkpoint-created",
  "checkpoint-failed",
  "checkpoint-deleted",
  "job-updated",
  "scenario-completed",
  "scenario-failed",
  "model-trained",
  "default-changed",
  "checkpoint-updated",
  "scenario-updated",
  "scenario-deleted",
  "project-updated",
  "dataset-changed",
] as const;

/** `secondsSinceLastEvent` of `GET /realtime` is null if a project had no event for so long. */
export const recentEventSeconds = 60;
