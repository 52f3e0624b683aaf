import { z } from "zod";
import { Id } from "#lib/contract/common";

/** Payload of a CreateScenario job. A retry needs the requested label to reserve the checkpoint again. */
export const ScenarioJob = z.object({
  scenarioId: Id,
  /** Run that the job computes. A job of an older service computes the first run, which has the ID of its scenario. */
  runId: Id.optional(),
  /** Checkpoints that the request reserved and the job publishes. A new main checkpoint comes first. */
  reserved: z.array(Id).default([]),
  checkpointLabel: z.string().nullable().default(null),
  /** Upload that the job reads as input. */
  uploadId: Id.nullable().default(null),
  /** Whether the input is that of an earlier run, whose adjustments are already applied. */
  keepsInput: z.boolean().default(false),
});
export type ScenarioJob = z.infer<typeof ScenarioJob>;

/** Returns the run that a job computes. */
export const runOfJob = ({ scenarioId, runId }: ScenarioJob): string => runId ?? scenarioId;
