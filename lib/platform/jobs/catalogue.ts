import { z } from "zod";
import { Id } from "#lib/contract/common";
import { ImportModel } from "#lib/contract/import-model";
import type { JobType } from "#lib/contract/jobs";
import { TrainModel } from "#lib/contract/train-model";
import type { Records } from "#lib/platform/audit/event-of-action";

/** Queue of a job. Long computations have their own queue, so that short jobs never wait for them. */
export type QueueName = "short" | "long";

type JobKind = {
  queue: QueueName;
  /** Input of the handler, validated when the job is enqueued and again before it runs. */
  payload: z.ZodType;
  /** Whether callers can cancel the job. A deletion is not cancellable: its entity is already gone for callers. */
  cancellable: boolean;
  /** Records that the job writes when it completes, in the transactions of its changes. */
  records: Records;
  /** Time limit of one attempt, in minutes. After this time the job ends Failed. */
  minutes: number;
};

const { format, rounds, modelName, target, targetMetric, inputs, output, outputColumn } = ImportModel.shape;
const importFields = { format, rounds, modelName, target, targetMetric, inputs, output, outputColumn };

export const catalogue = {
  CreateScenario: {
    queue: "short",
    payload: z.looseObject({ scenarioId: Id }),
    records: ["checkpoint-created?", "checkpoint.made-default?", "scenario-completed", "job-updated"],
    cancellable: true,
    minutes: 60,
  },
  CreateCheckpoint: {
    queue: "short",
    payload: z.object({
      checkpointId: Id,
      /** Requested label; null: generated. A retry reserves the checkpoint again with these values. */
      label: z.string().nullable(),
      description: z.string().nullable(),
      setAsDefault: z.boolean(),
      /** Model to save. Without it and without a file, the job saves the project's current model. */
      modelId: Id.optional(),
      /** File of an imported checkpoint. */
      uploadId: Id.optional(),
    }),
    records: ["checkpoint-created", "checkpoint.made-default?", "job-updated"],
    cancellable: true,
    minutes: 10,
  },
  DeleteCheckpoint: {
    queue: "short",
    payload: z.object({ checkpointId: Id }),
    records: ["checkpoint-deleted", "job-updated"],
    cancellable: false,
    minutes: 10,
  },
  TrainModel: {
    queue: "long",
    /** Request, with the version of the dataset that was current. A job of an older service uses the current one. */
    payload: TrainModel.safeExtend({ datasetVersionId: Id.optional() }),
    records: ["model.trained", "job-updated"],
    cancellable: true,
    minutes: 240,
  },
  ImportModel: {
    queue: "long",
    /** Request, with its files as uploads. */
    payload: z.object({
      ...importFields,
      uploadId: Id,
      labelledUploadId: Id.nullable(),
    }),
    records: ["model.imported", "job-updated"],
    cancellable: true,
    minutes: 30,
  },
  DeleteScenario: {
    queue: "short",
    payload: z.object({ scenarioId: Id }),
    records: ["job-updated"],
    cancellable: false,
    minutes: 10,
  },
  DeleteProject: {
    queue: "short",
    payload: z.object({}),
    records: ["job-updated"],
    cancellable: false,
    minutes: 30,
  },
} as const satisfies Record<JobType, JobKind>;

export function typesOf(queue: QueueName): JobType[] {
  return (Object.keys(catalogue) as JobType[]).filter((type) => catalogue[type].queue === queue);
}

export const queueNames = ["short", "long"] as const satisfies readonly QueueName[];

/** Queue of the parts of trainings, which are no jobs (`parts.ts`). */
export const partsQueue = "parts";

export type PayloadOf<T extends JobType> = z.infer<(typeof catalogue)[T]["payload"]>;
