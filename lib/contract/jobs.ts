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
    id: Id.describe("Unique identifier of the job."),
    projectId: Id.describe("ID of the owning project."),
    type: JobType.describe("Type of the job."),
    status: JobStatus.describe(
      "Status of the job. `Completed`, `Failed` and `Cancelled` are terminal states and never change.",
    ),
    progress: z.number().min(0).max(100).describe("Progress in percent."),
    stage: z.string().nullable().describe("Current stage, in a word or two."),
    message: z.string().nullable().describe("Human-readable description of the current stage."),
    rows: z
      .object({
        total: z.number().int().describe("Total number of rows."),
        processed: z.number().int().describe("Number of rows processed."),
      })
      .nullable()
      .describe("Row counts. `null` if the job does not process rows."),
    scenarioId: Id.nullable().describe("ID of the scenario that the job is about."),
    checkpointId: Id.nullable().describe("ID of the checkpoint that the job is about."),
    modelId: Id.nullable().describe("ID of the model that the job created."),
    error: z
      .object({
        code: z
          .string()
          .describe("Error code of the API, or a code that only jobs have, such as `model_invalid`."),
        message: z.string().describe("Human-readable message."),
      })
      .nullable()
      .describe("Error that ended the job. `null` unless `status` is `Failed`."),
    outputOptions: z
      .array(OutputOption)
      .nullable()
      .describe(
        "Outputs of an imported model that can be the prediction. Present if the import failed because several remain, or if it predicts labels of a classifier that also has probabilities.",
      ),
    attempt: z
      .number()
      .int()
      .describe("Number of attempts. Greater than 1 if an earlier attempt failed or was interrupted."),
    retryOf: Id.nullable().describe("ID of the job that this job retries."),
    createdBy: z.string().describe("User identifier of the creator."),
    createdAt: Instant.describe("Time at which the job was enqueued."),
    startedAt: Instant.nullable().describe("Time at which the first attempt started."),
    finishedAt: Instant.nullable().describe("Time at which the job reached its terminal state."),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const JobAccepted = z
  .object({
    jobId: Id.describe("ID of the background job."),
    status: JobStatus.describe("Status of the job: `Pending` at creation."),
  })
  .meta({ id: "JobAccepted" });

export const JobListQuery = ListQuery.extend({
  status: repeatable(JobStatus).optional().describe("Returns only jobs with this status. Can be repeated."),
  type: repeatable(JobType).optional().describe("Returns only jobs of this type. Can be repeated."),
});
