import type { JobType } from "#lib/contract/jobs";
import type { JobHandler } from "#lib/domain/jobs/job-handler";
import type { PrepareRetry } from "#lib/domain/jobs/retry-job";
import type { Abandon } from "#lib/platform/jobs/end-job";

/** Loaded on first use, because the web process needs only the handlers of jobs that it cancels or retries. */
const handlers: { [T in JobType]: () => Promise<JobHandler<T>> } = {
  CreateCheckpoint: async () => (await import("./create-checkpoint.ts")).createCheckpoint,
  CreateScenario: async () => ({
    run: (await import("#lib/domain/scenarios/compute-scenario")).computeScenario,
    abandon: (await import("#lib/domain/scenarios/abandon-scenario")).abandonScenario,
    retry: (await import("#lib/domain/scenarios/retry-scenario")).retryScenario,
  }),
  DeleteCheckpoint: async () => ({
    run: (await import("#lib/domain/checkpoints/remove-checkpoint")).removeCheckpoint,
  }),
  DeleteProject: async () => ({ run: (await import("#lib/domain/projects/remove-project")).removeProject }),
  DeleteScenario: async () => ({
    run: (await import("#lib/domain/scenarios/remove-scenario")).removeScenario,
  }),
  ImportModel: async () => ({ run: (await import("#lib/domain/models/import-model")).importModel }),
  TrainModel: async () => ({
    run: (await import("#lib/domain/models/train-model")).trainModel,
    abandon: (await import("#lib/platform/jobs/parts")).dropParts,
    retry: (await import("#lib/domain/models/request-training")).retryTraining,
  }),
};

/** Returns the handler of a job type. */
export async function handlerOf(type: JobType): Promise<JobHandler<JobType>> {
  return (await handlers[type]()) as JobHandler<JobType>;
}

/** Returns the cleanup after a job of this type that ends Failed or Cancelled; undefined if none is needed. */
export async function abandonOf(type: JobType): Promise<Abandon | undefined> {
  return (await handlerOf(type)).abandon;
}

/** Returns the preparation for retrying a job of this type; undefined if its jobs are retried unchanged. */
export async function retryOf(type: JobType): Promise<PrepareRetry | undefined> {
  return (await handlerOf(type)).retry as PrepareRetry | undefined;
}
