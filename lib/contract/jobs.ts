import { z } from "zod";
import { Id, Instant, ListQuery, repeatable } from "./common.ts";
import { OutputOption } from "./import-model.ts";

export const JobStatus = z.enum(["Pending", "Running", "Completed", "Failed", "Cancelled"]);
export type JobStatus = z.infer<typeof JobStatus>;

export const JobType = z.enum([
  "CreateScenario",
  "CreateCheckpoint",
  "DeleteCheckpoint",
  "TrainModel",
  "ImportModel",
  "DeleteScenario",
  "DeleteProject",
]);
export type JobType = z.infer<typeof JobType>;

export const Job = z
  .object({
    id: Id.meta({ description: "Unique identifier of the job." }),
    projectId: Id.meta({ description: "ID of the owning project." }),
    type: JobType.meta({ description: "Type of the job." }),
    status: JobStatus.meta({
      description:
        "Status of the job. `Completed`, `Failed` and `Cancelled` are terminal states and never change.",
    }),
    progress: z.number().min(0).max(100).meta({ description: "Progress in percent." }),
    stage: z.string().nullable().meta({ description: "Current stage, in a word or two." }),
    message: z.string().nullable().meta({ description: "Human-readable description of the current stage." }),
    rows: z
      .object({
        total: z.number().int().meta({ description: "Total number of rows." }),
        processed: z.number().int().meta({ description: "Number of rows processed." }),
      })
      .nullable()
      .meta({ description: "Row counts. `null` if the job does not process rows." }),
    scenarioId: Id.nullable().meta({ description: "ID of the scenario that the job is about." }),
    checkpointId: Id.nullable().meta({ description: "ID of the checkpoint that the job is about." }),
    modelId: Id.nullable().meta({ description: "ID of the model that the job created." }),
    error: z
      .object({
        code: z.string().meta({
          description: "Error code of the API, or a code that only jobs have, such as `model_invalid`.",
        }),
        message: z.string().meta({ description: "Human-readable message." }),
      })
      .nullable()
      .meta({ description: "Error that ended the job. `null` unless `status` is `Failed`." }),
    outputOptions: z.array(OutputOption).nullable().meta({
      description:
        "Outputs of an imported model that can be the prediction. Present if the import failed because several remain, or if it predicts labels of a classifier that also has probabilities.",
    }),
    attempt: z.number().int().meta({
      description: "Number of attempts. Greater than 1 if an earlier attempt failed or was interrupted.",
    }),
    retryOf: Id.nullable().meta({ description: "ID of the job that this job retries." }),
    createdBy: z.string().meta({ description: "User identifier of the creator." }),
    createdAt: Instant.meta({ description: "Time at which the job was enqueued." }),
    startedAt: Instant.nullable().meta({ description: "Time at which the first attempt started." }),
    finishedAt: Instant.nullable().meta({ description: "Time at which the job reached its terminal state." }),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const JobAccepted = z
  .object({
    jobId: Id.meta({ description: "ID of the background job." }),
    status: JobStatus.meta({ description: "Status of the job: `Pending` at creation." }),
  })
  .meta({ id: "JobAccepted" });

export const JobListQuery = ListQuery.extend({
  status: repeatable(JobStatus)
    .optional()
    .meta({ description: "Returns only jobs with this status. Can be repeated." }),
  type: repeatable(JobType)
    .optional()
    .meta({ description: "Returns only jobs of this type. Can be repeated." }),
});
