import { z } from "zod";
import { Id } from "#lib/contract/common";
import { ImportModel } from "#lib/contract/import-model";
import type { JobType } from "#lib/contract/jobs";
import { TrainModel } from "#lib/contract/train-model";

/** Long computations wait for each other in a queue of their own, so that short work never waits for them. */
export type QueueName = "short" | "long";

type JobKind = {
  queue: QueueName;
  /** What the handler gets; checked when the job is enqueued and again before it runs. */
  payload: z.ZodType;
  /** What is being deleted is gone for callers already: going back half-way would leave neither. */
  cancellable: boolean;
  /** How long one attempt may run; one that takes longer has gone astray, and the job ends Failed. */
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
      /** As asked for; null: generated. A retry reserves anew with these. */
      label: z.string().nullable(),
      description: z.string().nullable(),
      setAsDefault: z.boolean(),
      /** The checkpoint's file, where it comes from one; without it the project's current model is saved. */
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
    /** The request with its files as uploads. */
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
