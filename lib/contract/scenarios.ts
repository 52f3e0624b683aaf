import { z } from "zod";
import { Label } from "./checkpoints.ts";
import {
  Color,
  DateOrInstant,
  Description,
  ErrorDetailSchema,
  Id,
  Instant,
  optional,
  saysSomething,
} from "./common.ts";
import { FileData, FileName, Warning } from "./datasets.ts";
import { JobStatus } from "./jobs.ts";
import { limits } from "./limits.ts";

const FeatureValue = z.union([z.number(), z.string().max(1_000), z.boolean()]);

export const Adjustment = z
  .strictObject({
    feature: z.string().min(1).max(1_000).meta({ description: "Input feature that is changed" }),
    operation: z.enum(["add", "multiply", "set"]).meta({ description: "What is done with its values" }),
    value: FeatureValue.meta({ description: "By which, or to which" }),
    from: optional(DateOrInstant).meta({ description: "Only rows from this time on" }),
    to: optional(DateOrInstant).meta({ description: "Only rows up to this time, included" }),
    where: optional(
      z
        .array(
          z.strictObject({
            feature: z.string().min(1).max(1_000).meta({ description: "Input feature that is looked at" }),
            operator: z.enum(["=", "!=", "<", "<=", ">", ">="]).meta({ description: "How it is compared" }),
            value: FeatureValue.meta({ description: "With which value" }),
          }),
        )
        .max(20),
    ).meta({ description: "Only rows for which all of these hold" }),
  })
  .meta({ id: "Adjustment" });
export type Adjustment = z.infer<typeof Adjustment>;

export const Summary = z
  .object({
    mean: z.number().nullable().meta({ description: "Mean prediction" }),
    min: z.number().nullable().meta({ description: "Least prediction" }),
    max: z.number().nullable().meta({ description: "Greatest prediction" }),
    sum: z.number().nullable().meta({ description: "Sum of the predictions" }),
    first: z.number().nullable().meta({ description: "Prediction of the first row" }),
    last: z.number().nullable().meta({ description: "Prediction of the last row" }),
  })
  .meta({ id: "Summary", description: "Of predictions" });
export type Summary = z.infer<typeof Summary>;

export const StalePin = z
  .object({
    projectId: Id.meta({ description: "The dependent project" }),
    checkpointId: Id.meta({ description: "The checkpoint of it that is used" }),
    label: z.string().meta({ description: "Label of that checkpoint" }),
    defaultCheckpointId: Id.meta({ description: "The project's default checkpoint, which is newer" }),
    defaultLabel: z.string().meta({ description: "Label of the newer one" }),
  })
  .meta({ id: "StalePin" });

export const Scenario = z
  .object({
    id: Id.meta({ description: "Scenario identifier" }),
    projectId: Id.meta({ description: "Owning project" }),
    title: z.string().meta({ description: "Scenario name" }),
    description: z.string().nullable().meta({ description: "Free text" }),
    color: z.string().meta({ description: "Hex colour for display" }),
    checkpointId: Id.nullable().meta({
      description:
        "The checkpoint that it uses; null only where the job failed or was cancelled before the new checkpoint was saved",
    }),
    checkpointLabel: z.string().nullable().meta({ description: "Label of that checkpoint" }),
    status: JobStatus.meta({ description: "Of its job; predictions exist once it is Completed" }),
    jobId: Id.meta({ description: "The job that makes its predictions" }),
    source: z.enum(["Upload", "Generated", "Clone"]).meta({ description: "Where its input comes from" }),
    fileName: z.string().nullable().meta({ description: "Original name of the uploaded file" }),
    endDate: Instant.nullable().meta({ description: "End that was asked for generated input" }),
    baseScenarioId: Id.nullable().meta({ description: "The scenario whose input it started from" }),
    adjustments: z.array(Adjustment).meta({ description: "Changes to that input, in their order" }),
    dependentProjectCheckpoints: z
      .record(z.string(), Id)
      .meta({ description: "Dependent project → the checkpoint of it that is used" }),
    stalePins: z
      .array(StalePin)
      .meta({ description: "Of these the ones whose project has a newer default checkpoint by now" }),
    rowCount: z.number().int().nullable().meta({ description: "Rows; null before they are known" }),
    firstTimestamp: Instant.nullable().meta({ description: "Time of the first row" }),
    lastTimestamp: Instant.nullable().meta({ description: "Time of the last row" }),
    summary: Summary.nullable().meta({ description: "Of its predictions, once they exist" }),
    warnings: z.array(Warning).meta({ description: "What does not stop the input from being used" }),
    createdAt: Instant.meta({ description: "Creation time" }),
    createdBy: z.string().meta({ description: "User identifier of the creator" }),
  })
  .meta({ id: "Scenario" });
export type Scenario = z.infer<typeof Scenario>;

export const ScenarioTitle = z
  .string()
  .trim()
  .min(1)
  .max(limits.scenarioTitleMax)
  .meta({ description: "Scenario name" });

export const DependentCheckpoints = z.record(Id, Id.nullable());

export const CreateScenario = z.strictObject({
  title: ScenarioTitle,
  description: optional(Description).meta({ description: "Free text" }),
  color: optional(Color).meta({ description: "Hex colour, `#rgb` or `#rrggbb`; `#3498db` without it" }),
  checkpointId: optional(Id).meta({
    description: "The checkpoint to use; without it the current model is saved as a new one",
  }),
  checkpointLabel: optional(Label).meta({
    description:
      "Of the new checkpoint; `<ProjectName>_<YYYYMMDD>` without it. Used only without `checkpointId`",
  }),
  fileData: optional(FileData).meta({ description: "The input as CSV, in base64" }),
  uploadId: optional(Id).meta({ description: "An upload, in place of `fileData`" }),
  fileName: optional(FileName),
  endDate: optional(DateOrInstant).meta({
    description:
      "End of generated input, included; a date alone: the row of that day, or for hours and less its beginning in UTC. The validated horizon without it. Used only for generated input",
  }),
  baseScenarioId: optional(Id).meta({ description: "Start from this scenario's input" }),
  adjustments: optional(z.array(Adjustment).max(limits.adjustmentsMax)).meta({
    description: "Changes to the base scenario's input, in their order",
  }),
  dependentProjectCheckpoints: optional(DependentCheckpoints).meta({
    description: "Dependent project → its checkpoint, or null to save its current model",
  }),
});
export type CreateScenario = z.infer<typeof CreateScenario>;

export const ScenarioAccepted = z
  .object({
    jobId: Id.meta({ description: "The job that makes the predictions" }),
    status: JobStatus.meta({ description: "`Pending` at creation" }),
    scenarioId: Id.meta({ description: "The scenario" }),
    checkpointId: Id.meta({ description: "The checkpoint that it uses, new or not" }),
  })
  .meta({ id: "ScenarioAccepted" });

export const UpdateScenario = z
  .strictObject({
    title: optional(ScenarioTitle),
    description: Description.nullish().meta({ description: "Free text; null empties it" }),
    color: optional(Color),
  })
  .refine(saysSomething, "Send at least one of title, description and color");
export type UpdateScenario = z.infer<typeof UpdateScenario>;

/** The body of creation, so that it can be sent here before it is sent there. */
export const ValidateScenario = CreateScenario.extend({
  title: optional(ScenarioTitle),
  checkpointId: optional(Id).meta({
    description: "The checkpoint to check against; the current model without it",
  }),
  dependentProjectCheckpoints: optional(DependentCheckpoints).meta({
    description: "As at creation; without it the models that serve the dependent projects are looked at",
  }),
});
export type ValidateScenario = z.infer<typeof ValidateScenario>;

export const ScenarioValidation = z
  .object({
    valid: z.boolean().meta({ description: "Whether a scenario could be made of it" }),
    rowCount: z.number().int().meta({ description: "Rows, the header not counted" }),
    faults: z.array(ErrorDetailSchema).meta({ description: "Every fault, by row and column" }),
    warnings: z.array(Warning).meta({ description: "What does not stop it from being used" }),
    changedRows: z
      .array(z.number().int())
      .optional()
      .meta({ description: "Rows that each adjustment changes, where all of them can be applied" }),
  })
  .meta({ id: "ScenarioValidation" });
export type ScenarioValidation = z.infer<typeof ScenarioValidation>;
