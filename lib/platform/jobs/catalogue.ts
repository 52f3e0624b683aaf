import { z } from "zod";
import { Id } from "#lib/contract/common";
import { ImportModel } from "#lib/contract/import-model";
import type { JobType } from "#lib/contract/jobs";
import { TrainModel } from "#lib/contract/train-model";

/** Queue of a job. Long computations have their own queue, so that short jobs never wait for them. */
export type QueueName = "short" | "long";

type JobKind = {
  queue: QueueName;
  /** Input of the handler, validated when the job is enqueued and again before it runs. */
  payload: z.ZodType;
  /** Whether callers can cancel the job. A deletion is not cancellable: its entity is already gone for callers. */
  cancellable: boolean;
  /** Time limit of one attempt, in minutes. After this time the job ends Failed. */
  minutes: number;
};

const { format, modelName, target, targetMetric, inputs, output, outputColumn } = ImportModel.shape;
const importFields = { format, modelName, target, targetMetric, inputs, output, outputColumn };

export const catalogue = {
  CreateScenario: {
    queue: "short",
    payload: z.looseObject({ scenarioId: Id }),
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
    cancellable: true,
    minutes: 10,
  },
  DeleteCheckpoint: {
    queue: "short",
    payload: z.object({ checkpointId: Id }),
    cancellable: false,
    minutes: 10,
  },
  TrainModel: { queue: "long", payload: TrainModel, cancellable: true, minutes: 240 },
  ImportModel: {
    queue: "long",
    /** Request, with its files as uploads. */
    payload: z.object({
      ...importFields,
      uploadId: Id,
      labelledUploadId: Id.nullable(),
    }),
    cancellable: true,
    minutes: 30,
  },
  DeleteScenario: { queue: "short", payload: z.object({ scenarioId: Id }), cancellable: false, minutes: 10 },
  DeleteProject: { queue: "short", payload: z.object({}), cancellable: false, minutes: 30 },
} as const satisfies Record<JobType, JobKind>;

export function typesOf(queue: QueueName): JobType[] {
  return (Object.keys(catalogue) as JobType[]).filter((type) => catalogue[type].queue === queue);
}

export const queueNames = ["short", "long"] as const satisfies readonly QueueName[];

export type PayloadOf<T extends JobType> = z.infer<(typeof catalogue)[T]["payload"]>;
