import { z } from "zod";
import { Id } from "#lib/contract/common";

/** Payload of a CreateScenario job. A retry needs the requested label to reserve the checkpoint again. */
export const ScenarioJob = z.object({
  scenarioId: Id,
  /** Checkpoints that the request reserved and the job publishes. A new main checkpoint comes first. */
  reserved: z.array(Id).default([]),
  checkpointLabel: z.string().nullable().default(null),
  /** Upload that the job reads as input. */
  uploadId: Id.nullable().default(null),
});
export type ScenarioJob = z.infer<typeof ScenarioJob>;
