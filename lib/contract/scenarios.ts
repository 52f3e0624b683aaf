import { z } from "zod";
import { Label } from "./checkpoints.ts";
import {
  Color,
  DateOrInstant,
  Description,
  ErrorDetailSchema,
  hasAnyField,
  Id,
  Instant,
  optional,
  RepeatedDateOrInstant,
} from "./common.ts";
import { Conditions, FeatureValue } from "./conditions.ts";
import { FileData, FileName } from "./dataset-requests.ts";
import { ColumnName } from "./datasets.ts";
import { Interval } from "./intervals.ts";
import { JobStatus } from "./jobs.ts";
import { limits } from "./limits.ts";
import { Reading } from "./reading.ts";
import { visibleLine } from "./visible-line.ts";
import { Warning } from "./warnings.ts";

export const Adjustment = z
  .strictObject({
    feature: ColumnName.describe("Name of the input feature to change."),
    operation: z.enum(["add", "multiply", "set"]).describe("Operation on the feature's values."),
    value: FeatureValue.describe("Operand: the number to add, the factor, or the new value."),
    from: optional(RepeatedDateOrInstant).describe("First time to change. A date means its start in UTC."),
    to: optional(RepeatedDateOrInstant).describe(
      "Last time to change, inclusive. A date means its start in UTC.",
    ),
    where: optional(Conditions).describe("Conditions that a row must all meet to be changed."),
  })
  .meta({ id: "Adjustment" });
export type Adjustment = z.infer<typeof Adjustment>;

export const Summary = z
  .object({
    mean: z.number().nullable().describe("Mean prediction."),
    min: z.number().nullable().describe("Minimum prediction."),
    max: z.number().nullable().describe("Maximum prediction."),
    sum: z.number().nullable().describe("Sum of the predictions."),
    first: z.number().nullable().describe("Prediction of the first row."),
    last: z.number().nullable().describe("Prediction of the last row."),
    sumInterval: Interval.nullable()
      .optional()
      .describe(
        "Prediction interval of the sum. `null` if the model has no times or no prediction intervals. Absent for older scenarios.",
      ),
    meanInterval: Interval.nullable()
      .optional()
      .describe("Prediction interval of the mean. Absent or `null` as `sumInterval` is."),
    generatedShare: z
      .number()
      .nullable()
      .optional()
      .describe(
        "Share of the squared width of the prediction intervals that comes from generated inputs, 0 to 1. Includes predictions of upstream projects from generated inputs. `null` if no input was generated, or if their errors are not known.",
      ),
    sumLevels: z
      .array(Interval)
      .optional()
      .describe("Prediction intervals of the sum at the requested `levels`. Only in comparisons."),
    meanLevels: z
      .array(Interval)
      .optional()
      .describe("Prediction intervals of the mean at the requested `levels`. Only in comparisons."),
  })
  .meta({ id: "Summary", description: "Summary of predictions." });
export type Summary = z.infer<typeof Summary>;

export const ScenarioSource = z.enum(["Upload", "Generated", "Clone"]);

const StalePinnedCheckpoint = z
  .object({
    projectId: Id.describe("ID of the upstream project."),
    checkpointId: Id.describe("ID of the pinned checkpoint that the scenario uses."),
    label: z.string().describe("Label of the pinned checkpoint."),
    defaultCheckpointId: Id.describe("ID of the upstream project's default checkpoint, which is newer."),
    defaultLabel: z.string().describe("Label of the newer checkpoint."),
  })
  .meta({ id: "StalePinnedCheckpoint" });

export const Scenario = z
  .object({
    id: Id.describe("Unique identifier of the scenario."),
    runId: Id.describe(
      "ID of the run that the record shows: the one that completed last, or the one that `run` or `asOf` chose. Until a run has completed, the first one.",
    ),
    projectId: Id.describe("ID of the owning project."),
    title: z.string().describe("Title of the scenario."),
    description: z.string().nullable().describe("Free text."),
    notes: z.string().nullable().describe("Notes, on any number of lines."),
    tags: z.array(z.string()).describe("Tags, in the order in which they were set."),
    color: z.string().describe("Hex colour for display."),
    archived: z
      .boolean()
      .describe("Whether the scenario is archived. The dashboard's list hides archived scenarios."),
    checkpointId: Id.nullable().describe(
      "ID of the checkpoint that the scenario uses. `null` only if the job failed or was cancelled before the new checkpoint was saved.",
    ),
    checkpointLabel: z.string().nullable().describe("Label of that checkpoint."),
    status: JobStatus.describe(
      "Status of the job of the shown run. Predictions exist once it is `Completed`, and remain while later runs wait or fail.",
    ),
    jobId: Id.describe("ID of the job that computed the shown run."),
    source: ScenarioSource.describe("Source of the input."),
    fileName: z.string().nullable().describe("Original name of the uploaded file."),
    endDate: Instant.nullable().describe("Requested end of the generated input."),
    baseScenarioId: Id.nullable().describe("ID of the scenario whose input this scenario started from."),
    adjustments: z.array(Adjustment).describe("Changes to the base scenario's input, in order."),
    dependentProjectCheckpoints: z
      .record(z.string(), Id)
      .describe("Pinned checkpoints: ID of the upstream project → ID of its checkpoint."),
    stalePins: z
      .array(StalePinnedCheckpoint)
      .describe("Pinned checkpoints whose upstream project now has a newer default checkpoint."),
    rowCount: z.number().int().nullable().describe("Number of rows. `null` until it is known."),
    firstTimestamp: Instant.nullable().describe("Time of the first row."),
    lastTimestamp: Instant.nullable().describe("Time of the last row."),
    knownUntil: Instant.nullable().describe(
      "Time of the last row that was known when the shown run completed. `null` before, without times, and for uploads of earlier versions of the service; lists have `null` for all runs of those.",
    ),
    completedAt: Instant.nullable().describe("Time of the completion of the shown run. `null` until then."),
    summary: Summary.nullable().describe(
      "Summary of the predictions, with active overrides. `null` until they exist.",
    ),
    calculatedSummary: Summary.optional().describe(
      "Summary of the predictions without overrides. Present while an override is active.",
    ),
    warnings: z.array(Warning).describe("Warnings that do not prevent the use of the input."),
    createdAt: Instant.describe("Time of creation."),
    createdBy: z.string().describe("User identifier of the creator."),
  })
  .meta({ id: "Scenario" });
export type Scenario = z.infer<typeof Scenario>;

const ScenarioTitle = visibleLine(1, limits.scenarioTitleMax).describe("Title of the scenario.");

const Notes = z.string().max(limits.notesMax);

export const Tag = visibleLine(1, limits.tagMax);

const Tags = z
  .array(Tag)
  .max(limits.tagsPerScenario)
  .refine((tags) => new Set(tags).size === tags.length, "Use each tag once")
  .describe("Tags: visible text on one line each.");

export const UpstreamCheckpoints = z.record(Id, Id.nullable());

const NewScenario = z.strictObject({
  title: ScenarioTitle,
  description: optional(Description).describe("Free text."),
  notes: optional(Notes).describe("Notes, on any number of lines."),
  tags: optional(Tags),
  color: optional(Color).describe("Hex colour, `#rgb` or `#rrggbb`. Defaults to `#3498db`."),
  checkpointId: optional(Id).describe(
    "ID of the checkpoint to use. If omitted, the current model is saved as a new checkpoint.",
  ),
  checkpointLabel: optional(Label).describe(
    "Label of the new checkpoint. Defaults to `<ProjectName>_<YYYYMMDD>`. Used only if `checkpointId` is omitted.",
  ),
  fileData: optional(FileData).describe("Input as a CSV file in base64."),
  uploadId: optional(Id).describe("ID of an upload, in place of `fileData`."),
  fileName: optional(FileName),
  endDate: optional(DateOrInstant).describe(
    "Last time of generated input, inclusive. A date without a time means that day's row, or the start of the day in UTC for hourly and finer data. Defaults to the horizon that the model was validated on. Used only for generated input.",
  ),
  baseScenarioId: optional(Id).describe("ID of the scenario whose input to start from."),
  adjustments: optional(z.array(Adjustment).max(limits.adjustmentsMax)).describe(
    "Changes to the base scenario's input, in order.",
  ),
  dependentProjectCheckpoints: optional(UpstreamCheckpoints).describe(
    "Upstream project ID → ID of its checkpoint, or `null` to save its current model as a new checkpoint.",
  ),
});

/** Ignores the label of a new checkpoint beside an existing checkpoint, even an invalid one. */
function withoutUnusedLabel(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { checkpointLabel: _, ...used } = body as Record<string, unknown>;
  return (used.checkpointId ?? null) === null ? body : used;
}

export const CreateScenario = z.preprocess(withoutUnusedLabel, NewScenario);
export type CreateScenario = z.infer<typeof CreateScenario>;

export const ScenarioAccepted = z
  .object({
    jobId: Id.describe("ID of the job that computes the predictions."),
    status: JobStatus.describe("Status of the job: `Pending` at creation."),
    scenarioId: Id.describe("ID of the scenario."),
    checkpointId: Id.describe("ID of the checkpoint that the scenario uses, new or existing."),
  })
  .meta({ id: "ScenarioAccepted" });

export const UpdateScenario = z
  .strictObject({
    title: optional(ScenarioTitle),
    description: Description.nullish().describe("Free text. `null` clears the description."),
    notes: Notes.nullish().describe("Notes. `null` clears the notes."),
    tags: optional(Tags).describe("Tags, in place of the existing tags. An empty list removes all tags."),
    color: optional(Color),
    archived: optional(z.boolean()).describe("`true` archives the scenario, `false` restores it."),
  })
  .refine(hasAnyField, "Send at least one of title, description, notes, tags, color and archived");
export type UpdateScenario = z.infer<typeof UpdateScenario>;

/** Body of scenario creation with one of `fileData`, `uploadId` and `baseScenarioId`, so that clients can validate it first. */
export const ValidateScenario = z.preprocess(
  withoutUnusedLabel,
  NewScenario.extend({
    title: optional(ScenarioTitle),
    checkpointId: optional(Id).describe(
      "ID of the checkpoint to validate against. Defaults to the current model.",
    ),
    dependentProjectCheckpoints: optional(UpstreamCheckpoints).describe(
      "Upstream project ID → ID of its checkpoint, or `null` for its current model. Defaults to the serving models of the upstream projects.",
    ),
  }),
);
export type ValidateScenario = z.infer<typeof ValidateScenario>;

export const ScenarioValidation = z
  .object({
    valid: z
      .boolean()
      .describe(
        "Whether columns, cells and adjustments fit the model. Creation also checks that missing upstream features can be computed.",
      ),
    rowCount: z.number().int().describe("Number of rows, excluding the header."),
    faults: z
      .array(ErrorDetailSchema)
      .describe("The first 100 issues, by row and column, then one entry with the number of further ones."),
    warnings: z.array(Warning).describe("Warnings that do not prevent the use of the input."),
    reading: Reading.optional().describe(
      "How the file is read: as the training data. Absent for base scenarios.",
    ),
    changedRows: z
      .array(z.number().int())
      .optional()
      .describe("Number of rows that each adjustment changes. Present if all adjustments can be applied."),
  })
  .meta({ id: "ScenarioValidation" });
export type ScenarioValidation = z.infer<typeof ScenarioValidation>;
