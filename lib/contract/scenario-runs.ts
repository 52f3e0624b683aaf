import { z } from "zod";
import { DateOrInstant, Id, Instant, optional } from "./common.ts";
import { JobStatus } from "./jobs.ts";
import { Summary, UpstreamCheckpoints } from "./scenarios.ts";

/** Query parameters that choose an earlier run of a scenario. Without them, reads show the run that completed last. */
export const runQuery = {
  // Not `Id`, because a malformed ID returns the same response as an unknown one.
  run: z
    .string()
    .max(100)
    .optional()
    .describe("ID of the run to read. Defaults to the run that completed last."),
  asOf: DateOrInstant.optional().describe(
    "Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`.",
  ),
};
/** The same for reads of several scenarios. */
export const runsQuery = {
  run: runQuery.run.describe(
    "ID of a run of one of the scenarios, which is read instead of the run that completed last.",
  ),
  asOf: runQuery.asOf.describe(
    "Reads the runs that had completed last at this time. A date means its start in UTC. Not with `run`.",
  ),
};
export const RunQuery = z.object(runQuery);
export type RunQuery = z.infer<typeof RunQuery>;

/** Scenario of a comparison, as `ids` names it. */
export const ComparedId = z.string().meta({
  description: "ID of the scenario. With `@` and the ID of the run if `ids` names a run.",
  examples: ["0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f"],
});

export const RequestRun = z.strictObject({
  checkpointId: optional(z.union([Id, z.literal("current")])).describe(
    "ID of the checkpoint to use, or `current` for the current model: its newest checkpoint, or a new one. Defaults to the checkpoint of the newest run.",
  ),
  dependentProjectCheckpoints: optional(UpstreamCheckpoints).describe(
    "Upstream project ID → ID of its checkpoint, or `null` to save its current model as a new checkpoint. Defaults to the checkpoints of the newest run.",
  ),
});
export type RequestRun = z.infer<typeof RequestRun>;

export const RunAccepted = z
  .object({
    jobId: Id.describe("ID of the job that computes the run."),
    status: JobStatus.describe("Status of the job: `Pending` at first."),
    runId: Id.describe("ID of the run."),
    scenarioId: Id.describe("ID of the scenario."),
    checkpointId: Id.describe("ID of the checkpoint that the run uses, new or existing."),
  })
  .meta({ id: "RunAccepted" });

export const ScenarioRun = z
  .object({
    id: Id.describe("Unique identifier of the run."),
    scenarioId: Id.describe("ID of the scenario."),
    checkpointId: Id.nullable().describe(
      "ID of the checkpoint that the run uses. An earlier run keeps the ID, but does not keep its checkpoint from deletion. `null` if a new checkpoint was never saved.",
    ),
    checkpointLabel: z.string().nullable().describe("Label of that checkpoint."),
    knownUntil: Instant.nullable().describe(
      "Time of the last row that was known when the run completed. `null` before, without times, and for uploads of earlier versions of the service.",
    ),
    rowCount: z.number().int().nullable().describe("Number of rows. `null` until it is known."),
    firstTimestamp: Instant.nullable().describe("Time of the first row."),
    lastTimestamp: Instant.nullable().describe("Time of the last row."),
    summary: Summary.nullable().describe(
      "Summary of the predictions, with active overrides. `null` until they exist.",
    ),
    calculatedSummary: Summary.optional().describe(
      "Summary of the predictions without overrides. Present while an override is active.",
    ),
    status: JobStatus.describe("Status of the run's job."),
    jobId: Id.describe("ID of the job that computes the run."),
    createdAt: Instant.describe("Time of the request."),
    createdBy: z.string().describe("User identifier of the creator."),
    completedAt: Instant.nullable().describe("Time of completion. `null` until then."),
  })
  .meta({
    id: "ScenarioRun",
    description: "A run of a scenario: an input, and the predictions made from it.",
  });
export type ScenarioRun = z.infer<typeof ScenarioRun>;
