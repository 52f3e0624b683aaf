import { z } from "zod";
import { algorithmNames, listNames } from "./algorithms.ts";
import { Classification } from "./classification.ts";
import { Id, Instant } from "./common.ts";
import { ColumnTypeSchema, NumberFormatRule } from "./datasets.ts";
import { DateRule } from "./date-rule.ts";
import { InputEffect } from "./input-effects.ts";
import { StepCoverage } from "./intervals.ts";
import { LeaderboardEntry } from "./leaderboard.ts";
import { limits } from "./limits.ts";
import { TARGET_METRICS } from "./metric-names.ts";
import { PanelMetrics } from "./panel-metrics.ts";
import { Reading } from "./reading.ts";
import { Warning } from "./warnings.ts";

export const TargetMetric = z.enum(TARGET_METRICS);
export type TargetMetric = z.infer<typeof TargetMetric>;

/** Metric → value. `null` where the metric is not defined, such as MAPE with zeros. */
const Metrics = z.record(z.string(), z.number().nullable());
export const TrainingMetrics = z
  .object({
    train: Metrics.nullable().describe(
      "Metrics on the rows before the validation rows, for a model fitted on those rows. If the model reads earlier values of the target, without the rows of the first horizon.",
    ),
    validation: Metrics.nullable().describe(
      "Metrics on the validation rows, for a model that had not seen those rows.",
    ),
    baseline: Metrics.nullable().describe("Metrics of the naive forecast on the validation rows."),
  })
  .meta({
    id: "TrainingMetrics",
    description:
      "Metric → value. `null` where the metric is not defined. These metrics measure the training procedure: the model itself is fitted on all rows afterwards.",
  });
export type TrainingMetrics = z.infer<typeof TrainingMetrics>;

export const InputFeature = z
  .object({
    name: z.string().describe("Name of the feature in the header of a CSV and in `input`."),
    type: ColumnTypeSchema.describe("Type of the values."),
    role: z
      .enum(["input", "upstream", "timestamp"])
      .describe("Role of the feature. `upstream`: the prediction of an upstream project."),
    required: z.boolean().describe("Whether an input must include the feature."),
    missingAllowed: z
      .boolean()
      .optional()
      .describe("Whether values may be missing. The model imputes missing values."),
    min: z.number().nullable().describe("Minimum over the training rows."),
    max: z.number().nullable().describe("Maximum over the training rows."),
    mean: z.number().nullable().describe("Mean over the training rows."),
    median: z.number().nullable().describe("Median over the training rows."),
    missing: z.number().int().nullable().describe("Number of training rows without a value."),
    categories: z.array(z.string()).nullable().describe("Categories that the model knows."),
    sourceProjectId: Id.nullable().describe(
      "For the role `upstream`: ID of the project that predicts the feature. Otherwise `null`.",
    ),
    codes: z
      .array(z.number())
      .max(limits.codes)
      .optional()
      .describe(
        "Values of a number that has only a few whole values, such as 0 and 1, ascending. Absent for other features, and for older models.",
      ),
    dateRule: DateRule.optional().describe(
      "Rule by which the feature follows from the date of the row. Generated inputs follow it. Absent for other features, and for older models.",
    ),
  })
  .meta({ id: "InputFeature" });
export type InputFeature = z.infer<typeof InputFeature>;

const ModelInputFormat = z
  .object({
    timestampColumns: z
      .array(z.string())
      .nullable()
      .describe(
        "Name of the timestamp column, or names of the columns that are joined. `null` without a timestamp.",
      ),
    timezone: z.string().describe("IANA time zone of times without a zone."),
    dateOrder: z
      .enum(["month-first", "day-first"])
      .nullable()
      .describe("Order of day and month in dates such as 3/4/2024. `null` if the data does not show it."),
    missing: z.array(z.string()).describe("Texts for missing values besides the empty cell."),
    numberFormats: z
      .array(NumberFormatRule)
      .describe(
        "Formats of columns whose numbers have a currency, a percent sign, a unit, digit grouping or their own decimal mark.",
      ),
    reading: Reading.nullish().describe("How the dataset's file was read. Absent for older models."),
    series: z
      .array(z.string())
      .optional()
      .describe("Names of the columns whose values name the series of a row. Absent for one series."),
  })
  .meta({
    id: "ModelInputFormat",
    description:
      "Reading options of the dataset that the model was trained on. Files of scenarios are read in the same way.",
  });

export const FeatureEngineering = z
  .object({
    version: z.number().int().describe("Version of this format."),
    steps: z
      .array(
        z.looseObject({
          op: z.string().describe("Operation of the step. The other fields are its settings."),
        }),
      )
      .describe("Steps, in order."),
    rowsBuildOnEachOther: z
      .boolean()
      .optional()
      .describe(
        "Whether later rows use the predictions or the inputs of earlier rows. Absent for older models.",
      ),
    readsTarget: z
      .boolean()
      .optional()
      .describe("Whether predictions use known values of the target. Absent for older models."),
    inputFormat: ModelInputFormat.optional(),
  })
  .meta({
    id: "FeatureEngineering",
    description: "Steps that turn inputs into the features that the model computes with.",
  });
export type FeatureEngineering = z.infer<typeof FeatureEngineering>;

const Importance = z
  .object({
    feature: z.string().describe("Name of the input feature."),
    gain: z
      .number()
      .describe(
        "Importance as a share of 1. Trees: share of the reduction in squared error by all splits. Linear models: share of the coefficients on scaled features.",
      ),
    parts: z
      .array(
        z.object({
          detail: z
            .string()
            .nullable()
            .describe(
              "Derivation of the part from the feature, such as `hour of day` or `value 1 day earlier`. `null` for the feature's own values.",
            ),
          gain: z.number().describe("Importance of the part as a share of 1."),
        }),
      )
      .optional()
      .describe(
        "The importance split by what the model derives from the feature, most important first. Absent without derived parts and for older models.",
      ),
    permutation: z
      .number()
      .optional()
      .describe(
        "Increase of the RMSE on the validation rows when the feature's values are shuffled among them.",
      ),
  })
  .meta({ id: "Importance" });
export type Importance = z.infer<typeof Importance>;

/** Actual and predicted values on the validation rows, at most 1,000 points, for the chart on the model page. */
const ValidationPreview = z
  .object({
    timestamps: z
      .array(Instant)
      .nullable()
      .describe("Time of each point. `null` if the data has no timestamp."),
    rows: z.array(z.number().int()).describe("Row numbers in the training data, starting at 1."),
    actual: z.array(z.number().nullable()).describe("Actual values."),
    predicted: z
      .array(z.number().nullable())
      .describe(
        "Predictions of a model that had not seen the rows. `null` for a row of `treated` that training left out.",
      ),
    treated: z
      .array(z.number().int())
      .optional()
      .describe(
        "Rows whose actual values contradict all others, so that training treated them as gaps. Absent without such rows.",
      ),
  })
  .meta({ id: "ValidationPreview" });

export const Model = z
  .object({
    id: Id.describe("Unique identifier of the model."),
    projectId: Id.describe("ID of the owning project."),
    modelName: z.string().describe("Name of the algorithm, or of the imported model."),
    algorithm: z
      .string()
      .describe(
        `Algorithm of the model: ${listNames([...algorithmNames(), "panel", "imported"], "disjunction")}.`,
      ),
    source: z
      .enum(["trained", "imported"])
      .describe("Origin of the model: trained by the service, or imported."),
    isCurrent: z.boolean().describe("Whether this is the project's latest model."),
    target: z.string().describe("Name of the value that the model predicts."),
    targetMetric: z.string().describe("Metric by which the model is judged."),
    primaryMetricValue: z
      .number()
      .nullable()
      .describe("Target metric on the validation rows. `null` if there were none."),
    trainingMetrics: TrainingMetrics,
    inputFeatures: z.array(InputFeature).describe("Input features of the model."),
    featureEngineering: FeatureEngineering,
    importance: z.array(Importance).describe("Importance of the features, most important first."),
    effects: z
      .array(InputEffect)
      .optional()
      .describe(
        "Learned effect of each numeric input that the model reads. Absent for classes, and for imported and older models.",
      ),
    predicts: z
      .enum(["mean", "median"])
      .optional()
      .describe(
        "Whether predictions are means or medians. A model of logarithms predicts medians with the target metric `mae` or `mape`. Absent for classes, and for imported and older models.",
      ),
    panel: PanelMetrics.optional().describe(
      "Errors of a model of many series, by series and by level. Absent for a model of one series.",
    ),
    validation: ValidationPreview.nullable().describe(
      "Actual and predicted values on the validation rows, at most 1,000 points.",
    ),
    classification: Classification.optional().describe(
      "Evaluation of the probabilities on the validation rows. Present for a target of two classes.",
    ),
    leaderboard: z
      .array(LeaderboardEntry)
      .describe("Candidates that the training evaluated: the chosen one first, the naive forecast last."),
    coverage: z
      .number()
      .nullable()
      .describe(
        "Share of rows inside a 90% prediction interval that was calibrated without those rows. For a series, the latest rows.",
      ),
    coverageBySteps: z
      .array(StepCoverage)
      .optional()
      .describe("Coverage by step ahead, for a series. Empty without enough rows; absent for older models."),
    warnings: z
      .array(Warning)
      .describe(
        "Warnings about the model. `too_good`: its accuracy suggests that `columns` give the target away. `ignored_values`: it does not learn from values that contradict all others.",
      ),
    modelFormat: z
      .string()
      .describe(
        "Always `onnx`. Imported models, trees and linear models contain an ONNX file; series methods do not.",
      ),
    artifactBytes: z.number().int().describe("Size of the stored model in bytes."),
    trainedAt: Instant.describe("Time at which the model was trained or imported."),
    trainingRows: z
      .number()
      .int()
      .describe("Number of rows that the model was fitted on, including the validation rows."),
    datasetVersionId: Id.nullable().describe(
      "ID of the version of the dataset that the model was trained on. `null` for imported and older models.",
    ),
    datasetRows: z
      .number()
      .int()
      .nullable()
      .describe("Number of rows of the dataset that the model was trained on. `null` for an imported model."),
    datasetFrequency: z
      .string()
      .nullable()
      .optional()
      .describe(
        "Interval between the rows of that dataset, as an ISO 8601 duration. `null` without a regular interval. Absent for imported and older models.",
      ),
    request: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        "Training request of the model. Send it to `…/models/train` again to train on the current dataset. `null` for an imported model.",
      ),
    createdBy: z.string().describe("ID of the user who trained or imported the model."),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof Model>;
