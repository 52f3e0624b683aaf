import { z } from "zod";
import { Label } from "./checkpoints.ts";
import {
  Color,
  DateOrInstant,
  Description,
  ErrorDetailSchema,
  Id,
  Instant,
  ListQuery,
  queryInteger,
} from "./common.ts";
import { FileData, FileName, Warning } from "./datasets.ts";
import { JobStatus } from "./jobs.ts";
import { limits } from "./limits.ts";
import { ContributionMethod } from "./predictions.ts";

const FeatureValue = z.union([z.number(), z.string().max(1_000), z.boolean()]);

export const Adjustment = z
  .strictObject({
    feature: z.string().min(1).max(1_000),
    operation: z.enum(["add", "multiply", "set"]),
    value: FeatureValue,
    from: DateOrInstant.optional(),
    to: DateOrInstant.optional(),
    where: z
      .array(
        z.strictObject({
          feature: z.string().min(1).max(1_000),
          operator: z.enum(["=", "!=", "<", "<=", ">", ">="]),
          value: FeatureValue,
        }),
      )
      .max(20)
      .optional(),
  })
  .meta({ id: "Adjustment" });
export type Adjustment = z.infer<typeof Adjustment>;

export const Summary = z
  .object({
    mean: z.number().nullable(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    sum: z.number().nullable(),
    first: z.number().nullable(),
    last: z.number().nullable(),
  })
  .meta({ id: "Summary" });
export type Summary = z.infer<typeof Summary>;

export const Scenario = z
  .object({
    id: Id,
    projectId: Id,
    title: z.string(),
    description: z.string().nullable(),
    color: z.string(),
    checkpointId: Id.nullable().meta({
      description: "null only where the job failed or was cancelled before the new checkpoint was saved",
    }),
    checkpointLabel: z.string().nullable(),
    status: JobStatus,
    jobId: Id,
    source: z.enum(["Upload", "Generated", "Clone"]),
    fileName: z.string().nullable(),
    endDate: Instant.nullable(),
    baseScenarioId: Id.nullable(),
    adjustments: z.array(Adjustment),
    dependentProjectCheckpoints: z.record(z.string(), Id),
    rowCount: z.number().int().nullable(),
    firstTimestamp: Instant.nullable(),
    lastTimestamp: Instant.nullable(),
    summary: Summary.nullable(),
    warnings: z.array(Warning),
    createdAt: Instant,
    createdBy: z.string(),
  })
  .meta({ id: "Scenario" });
export type Scenario = z.infer<typeof Scenario>;

export const ScenarioTitle = z.string().trim().min(1).max(limits.scenarioTitleMax);

export const DependentCheckpoints = z.record(Id, Id.nullable());

export const CreateScenario = z.strictObject({
  title: ScenarioTitle,
  description: Description.nullish(),
  color: Color.optional().meta({ description: "Hex colour, `#rgb` or `#rrggbb`; `#3498db` without it" }),
  checkpointId: Id.nullish().meta({
    description: "The checkpoint to use; without it the current model is saved as a new one",
  }),
  checkpointLabel: Label.nullish().meta({
    description: "Of the new checkpoint; `<ProjectName>_<YYYYMMDD>` without it",
  }),
  fileData: FileData.nullish().meta({ description: "The input as CSV, in base64" }),
  uploadId: Id.nullish().meta({ description: "An upload, in place of `fileData`" }),
  fileName: FileName.nullish(),
  endDate: DateOrInstant.nullish().meta({
    description: "End of generated input, included; the validated horizon without it",
  }),
  baseScenarioId: Id.nullish().meta({ description: "Start from this scenario's input" }),
  adjustments: z
    .array(Adjustment)
    .max(limits.adjustmentsMax)
    .optional()
    .meta({ description: "Changes to the base scenario's input, in their order" }),
  dependentProjectCheckpoints: DependentCheckpoints.nullish().meta({
    description: "Dependent project → its checkpoint, or null to save its current model",
  }),
});
export type CreateScenario = z.infer<typeof CreateScenario>;

export const ScenarioAccepted = z
  .object({ jobId: Id, status: JobStatus, scenarioId: Id, checkpointId: Id })
  .meta({ id: "ScenarioAccepted" });

export const UpdateScenario = z
  .strictObject({
    title: ScenarioTitle.optional(),
    description: Description.nullish(),
    color: Color.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "Send at least one of title, description and color");
export type UpdateScenario = z.infer<typeof UpdateScenario>;

export const ValidateScenario = z.strictObject({
  checkpointId: Id.nullish(),
  fileData: FileData.nullish(),
  uploadId: Id.nullish(),
  fileName: FileName.nullish(),
});
export type ValidateScenario = z.infer<typeof ValidateScenario>;

export const ScenarioValidation = z
  .object({
    valid: z.boolean(),
    rowCount: z.number().int(),
    faults: z.array(ErrorDetailSchema),
    warnings: z.array(Warning),
  })
  .meta({ id: "ScenarioValidation" });
export type ScenarioValidation = z.infer<typeof ScenarioValidation>;

/** An end of a stretch of a series: a time, or a row number where the series has no times. */
const SeriesBound = z
  .union([DateOrInstant, z.string().regex(/^\d{1,9}$/, "Write an ISO 8601 time or a row number")])
  .meta({ description: "Included. A time; a row number (from 1) for scenarios without times" });

/** `?limit=&cursor=` for rows; `?maxPoints=` (with from, to) for a chart. */
export const PredictionsQuery = z.object({
  limit: queryInteger(1, 10_000).optional(),
  cursor: ListQuery.shape.cursor,
  maxPoints: queryInteger(2, 20_000).optional(),
  from: SeriesBound.optional(),
  to: SeriesBound.optional(),
});

export const PredictionRow = z
  .object({
    row: z.number().int(),
    timestamp: Instant.nullable(),
    prediction: z.number().nullable(),
    lower: z.number().nullable(),
    upper: z.number().nullable(),
  })
  .meta({ id: "PredictionRow" });
export type PredictionRow = z.infer<typeof PredictionRow>;

const Values = z.array(z.number().nullable());

/** What `?maxPoints=` answers: at most so many points, the extremes among them. */
export const PredictionChart = z
  .object({
    rowCount: z.number().int().meta({ description: "Of the whole series" }),
    timestamps: z.array(Instant).optional(),
    rows: z.array(z.number().int()).optional().meta({ description: "Where the series has no times" }),
    values: Values,
    lower: Values,
    upper: Values,
  })
  .meta({ id: "PredictionChart" });
export type PredictionChart = z.infer<typeof PredictionChart>;

const list = z
  .string()
  .max(5_000)
  .transform((text) => text.split(",").map((item) => item.trim()))
  .pipe(z.array(z.string()));

export const ContributionsQuery = z.object({
  rows: list.pipe(
    z
      .array(
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      )
      .min(1)
      .max(100),
  ),
});

export const Contributions = z
  .object({
    rows: z.array(z.number().int()),
    method: ContributionMethod,
    baseValue: z.number(),
    features: z.array(z.string()),
    values: z.array(z.array(z.number())),
    predictions: z.array(z.number()),
  })
  .meta({ id: "Contributions" });
export type Contributions = z.infer<typeof Contributions>;

export const CompareQuery = z.object({
  ids: list.pipe(z.array(z.string()).min(limits.compareMin).max(limits.compareMax)),
  baselineId: z.string().max(100).optional(),
  maxPoints: queryInteger(2, 20_000).optional(),
  from: SeriesBound.optional(),
  to: SeriesBound.optional(),
});

const Differing = z.object({
  projectId: Id.nullable(),
  checkpointId: Id,
  label: z.string(),
  scenarioIds: z.array(Id),
});

export const Comparison = z
  .object({
    baselineId: Id,
    scenarios: z.array(
      z.object({
        id: Id,
        title: z.string(),
        color: z.string(),
        checkpointId: Id.nullable(),
        checkpointLabel: z.string().nullable(),
        rowCount: z.number().int(),
        summary: Summary,
      }),
    ),
    timestamps: z.array(Instant).optional(),
    rows: z.array(z.number().int()).optional(),
    series: z.array(
      z.object({
        scenarioId: Id,
        values: Values,
        lower: Values,
        upper: Values,
        differences: Values,
        totalDifference: z.number().nullable(),
        percentDifference: z.number().nullable(),
      }),
    ),
    differs: z.object({
      inputs: z.array(
        z.object({ feature: z.string(), scenarioIds: z.array(Id), changedRows: z.number().int() }),
      ),
      checkpoints: z
        .array(Differing)
        .meta({ description: "Empty where all scenarios use the same checkpoint" }),
      dependentCheckpoints: z.array(Differing),
    }),
  })
  .meta({ id: "Comparison" });
export type Comparison = z.infer<typeof Comparison>;
