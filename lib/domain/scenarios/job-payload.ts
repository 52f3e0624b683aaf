import { z } from "zod";
import { Id } from "#lib/contract/common";

/** What a CreateScenario job gets: ids, and the label that was asked for, should a retry have to reserve anew. */
export const ScenarioJob = z.object({
  scenarioId: Id,
  /** Checkpoints that the request reserved and the job publishes: the main one first, where it is new. */
  reserved: z.array(Id).default([]),
  checkpointLabel: z.string().nullable().default(null),
  /** The file that is still to be read. */
  uploadId: Id.nullable().default(null),
});
export type ScenarioJob = z.infer<typeof ScenarioJob>;
