import { z } from "zod";
import { Id, Instant, ListQuery, repeatable } from "./common.ts";

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
    id: Id.meta({ description: "Job identifier" }),
    projectId: Id.meta({ description: "Owning project" }),
    type: JobType.meta({ description: "What it does" }),
    status: JobStatus.meta({ description: "Completed, Failed and Cancelled never change any more" }),
    progress: z.number().min(0).max(100).meta({ description: "Per cent" }),
    stage: z.string().nullable().meta({ description: "What it is at, in a word or two" }),
    message: z.string().nullable().meta({ description: "What it is at, for a person to read" }),
    rows: z
      .object({
        total: z.number().int().meta({ description: "Rows in all" }),
        processed: z.number().int().meta({ description: "Rows done" }),
      })
      .nullable()
      .meta({ description: "Where rows are worked on" }),
    scenarioId: Id.nullable().meta({ description: "The scenario that it is about" }),
    checkpointId: Id.nullable().meta({ description: "The checkpoint that it is about" }),
    modelId: Id.nullable().meta({ description: "The model that it made" }),
    error: z
      .object({
        code: z
          .string()
          .meta({ description: "An error code, or one of jobs alone, such as `model_invalid`" }),
        message: z.string().meta({ description: "What was wrong, for a person to read" }),
      })
      .nullable()
      .meta({ description: "Why it Failed" }),
    attempt: z
      .number()
      .int()
      .meta({ description: "How often it was begun: more than once after a worker was lost" }),
    retryOf: Id.nullable().meta({ description: "The job that it repeats" }),
    createdBy: z.string().meta({ description: "User identifier of the creator" }),
    createdAt: Instant.meta({ description: "When it was enqueued" }),
    startedAt: Instant.nullable().meta({ description: "When it was first begun" }),
    finishedAt: Instant.nullable().meta({ description: "When it reached its terminal state" }),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const JobAccepted = z
  .object({
    jobId: Id.meta({ description: "The job that does it" }),
    status: JobStatus.meta({ description: "`Pending` at creation" }),
  })
  .meta({ id: "JobAccepted" });

export const JobListQuery = ListQuery.extend({
  status: repeatable(JobStatus).optional().meta({ description: "Only jobs in this state; may be repeated" }),
  type: repeatable(JobType).optional().meta({ description: "Only jobs of this type; may be repeated" }),
});
