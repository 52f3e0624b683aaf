import { z } from "zod";
import type { JobType } from "./jobs.ts";

/** Types of jobs whose end can be mailed. */
export const mailedJobTypes: readonly JobType[] = [
  "CreateScenario",
  "TrainModel",
  "ImportModel",
  "CreateCheckpoint",
];

export const JobMail = z
  .object({
    whenEnded: z.boolean().describe("Whether the caller gets a mail when the job has ended."),
  })
  .meta({ id: "JobMail" });
export type JobMail = z.infer<typeof JobMail>;

export const SetJobMail = z.strictObject({
  whenEnded: z.boolean().describe("`true` to get one mail when the job has ended."),
});
