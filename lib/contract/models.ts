import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { ColumnTypeSchema } from "./datasets.ts";
import { LeaderboardEntry } from "./leaderboard.ts";

export const TargetMetric = z.enum(["rmse", "mae", "mape", "r2"]);
export type TargetMetric = z.infer<typeof TargetMetric>;

/** Name → number; null where the metric is not defined (MAPE of zeros). */
export const Metrics = z.record(z.string(), z.number().nullable());
export const TrainingMetrics = z
  .object({
    train: Metrics.nullable().meta({
      description: "On the rows before the validation rows, by a model fitted on them",
    }),
    validation: Metrics.nullable().meta({
      description: "On the validation rows, by a model that had not seen them",
    }),
    baseline: Metrics.nullable().meta({ description: "Of the naive forecast, on the validation rows" }),
  })
  .meta({
    id: "TrainingMetrics",
    description:
      "Metric → value; null where it is not defined. These measure the procedure: the model itself is fitted on all rows afterwards",
  });
export type TrainingMetrics = z.infer<typeof TrainingMetrics>;

export const InputFeature = z
  .object({
    name: z.string().meta({ description: "Name in a CSV's header and in `input`" }),
    type: ColumnTypeSchema.meta({ description: "What its values are" }),
    role: z
      .enum(["input", "upstream", "timestamp"])
      .meta({ description: "`upstream`: the prediction of another project" }),
    required: z.boolean().meta({ description: "Whether an input must have it" }),
    missingAllowed: z
      .boolean()
      .optional()
      .meta({ description: "Whether single values may be missing: the model fills them in" }),
    min: z.number().nullable().meta({ description: "Least value of the training rows" }),
    max: z.number().nullable().meta({ description: "Greatest value of the training rows" }),
    mean: z.number().nullable().meta({ description: "Mean of the training rows" }),
    median: z.number().nullable().meta({ description: "Median of the training rows" }),
    missing: z.number().int().nullable().meta({ description: "Training rows without a value" }),
    categories: z.array(z.string()).nullable().meta({ description: "Values that the model knows" }),
    sourceProjectId: Id.nullable().meta({ description: "For `upstream`: the project that predicts it" }),
  })
  .meta({ id: "InputFeature" });
export type InputFeature = z.infer<typeof InputFeature>;

export const FeatureEngineering = z
  .object({
    version: z.number().int().meta({ description: "Of this form" }),
    steps: z
      .array(
        z.looseObject({
          op: z.string().meta({ description: "What the step does: the others are its settings" }),
        }),
      )
      .meta({ description: "In their order" }),
  })
  .meta({ id: "FeatureEngineering", description: "How inputs become what the model computes with" });
export type FeatureEngineering = z.infer<typeof FeatureEngineering>;

export const Importance = z
  .object({
    feature: z.string().meta({ description: "Name of the input feature" }),
    gain: z.number().meta({ description: "Its share in what the model explains" }),
    permutation: z.number().optional().meta({
      description: "Rise of the RMSE of the validation rows when its values are shuffled among them",
    }),
  })
  .meta({ id: "Importance" });

/** Actual and predicted values on the validation rows, at most 1,000 points, for the picture on the model page. */
export const ValidationPreview = z
  .object({
    timestamps: z.array(Instant).nullable().meta({ description: "Their times; null without a timestamp" }),
    rows: z.array(z.number().int()).meta({ description: "Their rows in the training data, from 1" }),
    actual: z.array(z.number().nullable()).meta({ description: "Actual values" }),
    predicted: z
      .array(z.number().nullable())
      .meta({ description: "Predictions by a model that had not seen the rows" }),
  })
  .meta({ id: "ValidationPreview" });

export const Model = z
  .object({
    id: Id.meta({ description: "Model identifier" }),
    projectId: Id.meta({ description: "Owning project" }),
    modelName: z.string().meta({ description: "Name of the algorithm, or of the imported model" }),
    algorithm: z.string().meta({
      description:
        "`gradient_boosting`, `ridge`, `elastic_net`, `seasonal_naive`, `drift`, `mean` or `imported`",
    }),
    source: z.enum(["trained", "imported"]).meta({ description: "Where it comes from" }),
    isCurrent: z.boolean().meta({ description: "Whether it is the project's latest" }),
    target: z.string().meta({ description: "What it predicts" }),
    targetMetric: z.string().meta({ description: "Metric by which it is judged" }),
    primaryMetricValue: z
      .number()
      .nullable()
      .meta({ description: "Target metric on the validation rows; null where there were none" }),
    trainingMetrics: TrainingMetrics,
    inputFeatures: z.array(InputFeature).meta({ description: "What it takes" }),
    featureEngineering: FeatureEngineering,
    importance: z.array(Importance).meta({ description: "The most important feature first" }),
    validation: ValidationPreview.nullable().meta({
      description: "Actual and predicted values of validation rows, at most 1,000",
    }),
    leaderboard: z.array(LeaderboardEntry).meta({
      description: "What was tried, the kept one first, the naive baseline last",
    }),
    coverage: z.number().nullable().meta({
      description:
        "Share of rows inside a 90% interval that was calibrated without them; of a series the latest rows",
    }),
    modelFormat: z.string().meta({ description: "Of the stored model: `onnx`" }),
    artifactBytes: z.number().int().meta({ description: "Size of the stored model" }),
    trainedAt: Instant.meta({ description: "When it was trained or imported" }),
    trainingRows: z
      .number()
      .int()
      .meta({ description: "Rows that it was fitted on, the validation rows included" }),
    datasetRows: z.number().int().nullable().meta({
      description: "Rows of the dataset that it was made from; null for one from outside",
    }),
    request: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        "What the training was asked for: sent again to `…/models/train`, it trains on the rows that have come since; null for a model from outside",
    }),
    createdBy: z.string().meta({ description: "User identifier of who had it trained or imported" }),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof Model>;
