import type { JobType } from "#lib/contract/jobs";
import type { PrepareRetry } from "#lib/domain/jobs/retry-job";
import type { Abandon } from "#lib/platform/jobs/end-job";
import type { JobHandler } from "./job-handler.ts";

/** Loaded when first needed: the web process, which cancels and repeats jobs, must not load the training code for that. */
const handlers: { [T in JobType]: () => Promise<JobHandler<T>> } = {
  CreateCheckpoint: async () => (await import("#lib/domain/job-handlers/create-checkpoint")).createCheckpoint,
  CreateScenario: async () => (await import("./handlers/create-scenario.ts")).createScenario,
  DeleteCheckpoint: async () => (await import("./handlers/delete-checkpoint.ts")).deleteCheckpoint,
  DeleteProject: async () => (await import("./handlers/delete-project.ts")).deleteProject,
  DeleteScenario: async () => (await import("./handlers/delete-scenario.ts")).deleteScenario,
  ImportModel: async () => (await import("./handlers/import-model.ts")).importModel,
  TrainModel: async () => (await import("./handlers/train-model.ts")).trainModel,
};

/** Who does jobs of this type. */
export async function handlerOf(type: JobType): Promise<JobHandler<JobType>> {
  return (await handlers[type]()) as JobHandler<JobType>;
}

/** What cleans up after a job of this type that ends Failed or Cancelled. */
export async function abandonOf(type: JobType): Promise<Abandon | undefined> {
  return (await handlerOf(type)).abandon;
}

/** How a job of this type is repeated. */
export async function retryOf(type: JobType): Promise<PrepareRetry | undefined> {
  return (await handlerOf(type)).retry as PrepareRetry | undefined;
}
