// Apart from the schemas, so that pages that listen load no validator.

export const channelOf = (projectId: string) => `private-project-${projectId}`;

/** What is told on a project's channel. */
export const eventNames = [
  "checkpoint-created",
  "checkpoint-failed",
  "checkpoint-deleted",
  "job-updated",
  "scenario-completed",
  "scenario-failed",
  "model-trained",
] as const;
