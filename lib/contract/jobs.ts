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
    id: Id,
    projectId: Id,
    type: JobType,
    status: JobStatus,
    progress: z.number().min(0).max(100),
    stage: z.string().nullable(),
    message: z.string().nullable(),
    rows: z.object({ total: z.number().int(), processed: z.number().int() }).nullable(),
    scenarioId: Id.nullable(),
    checkpointId: Id.nullable(),
    modelId: Id.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    attempt: z.number().int(),
    retryOf: Id.nullable(),
    createdBy: z.string(),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    finishedAt: Instant.nullable(),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const JobAccepted = z.object({ jobId: Id, status: JobStatus }).meta({ id: "JobAccepted" });

export const JobListQuery = ListQuery.extend({
  status: repeatable(JobStatus).optional(),
  type: repeatable(JobType).optional(),
});
