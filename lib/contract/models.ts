import { z } from "zod";
import { Id, Instant, optional } from "./common.ts";
import { ColumnTypeSchema, FileData, UploadId } from "./datasets.ts";
import { holidayCountries } from "./holiday-countries.ts";
import { contradictions, Hyperparameters, TrainAlgorithm } from "./hyperparameters.ts";
import { LeaderboardEntry } from "./leaderboard.ts";

export const TargetMetric = z.enum(["rmse", "mae", "mape", "r2"]);
export type TargetMetric = z.infer<typeof TargetMetric>;

/** Name → number; null where the metric is not defined (MAPE of zeros). */
export const Metrics = z.record(z.string(), z.number().nullable());
export const TrainingMetrics = z
  .object({
    train: Metrics.nullable().meta({ description: "On the training rows" }),
    validation: Metrics.nullable().meta({ description: "On the validation rows" }),
    baseline: Metrics.nullable().meta({ description: "Of a naive prediction, on the validation rows" }),
  })
  .meta({ id: "TrainingMetrics", description: "Metric → value; null where it is not defined" });
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
      description: "By how much the RMSE of validation rows rises when its values are shuffled among them",
    }),
  })
  .meta({ id: "Importance" });

/** Actual and predicted values on the validation rows, at most 1,000 points, for the picture on the model page. */
export const ValidationPreview = z
  .object({
    timestamps: z.array(Instant).nullable().meta({ description: "Their times; null without a timestamp" }),
    rows: z.array(z.number().int()).meta({ description: "Their rows in the training data, from 1" }),
    actual: z.array(z.number().nullable()).meta({ description: "What was" }),
    predicted: z.array(z.number().nullable()).meta({ description: "What the model says" }),
  })
  .meta({ id: "ValidationPreview" });

export const Model = z
  .object({
    id: Id.meta({ description: "Model identifier" }),
    projectId: Id.meta({ description: "Owning project" }),
    modelName: z.string().meta({ description: "Name of the algorithm, or of the imported model" }),
    algorithm: z
      .string()
      .meta({ description: "`gradient_boosting`, `ridge`, `elastic_net`, `seasonal_naive` or `imported`" }),
    source: z.enum(["trained", "imported"]).meta({ description: "Where it comes from" }),
    isCurrent: z.boolean().meta({ description: "Whether it is the project's latest" }),
    target: z.string().meta({ description: "What it predicts" }),
    targetMetric: z.string().meta({ description: "Metric by which it is judged" }),
    primaryMetricValue: z
      .number()
      .nullable()
      .meta({ description: "That metric on the validation rows; null where there were none" }),
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
        "Part of held-out rows inside the 90 % interval calibrated without them: of a series the latest rows",
    }),
    modelFormat: z.string().meta({ description: "Of the stored model: `onnx`" }),
    artifactBytes: z.number().int().meta({ description: "Size of the stored model" }),
    trainedAt: Instant.meta({ description: "When it was trained or imported" }),
    trainingRows: z.number().int().meta({ description: "Rows that it was trained on" }),
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

const shortened = (value: unknown) => String(value).slice(0, 40);

export const TrainModel = z
  .strictObject({
    algorithm: optional(TrainAlgorithm).meta({
      description:
        "`auto`, the default, tries all and keeps what does best in back-tests. `seasonal_naive` repeats the last season, or the last value, of data with a regular timestamp",
    }),
    targetMetric: optional(TargetMetric).meta({
      description: "Decides which model is kept; `rmse` without it",
    }),
    features: optional(
      z.strictObject({
        lags: optional(z.array(z.number().int().min(1).max(10_000)).max(50)).meta({
          description: "The target so many steps before, for data with a timestamp",
        }),
        rolling: optional(
          z
            .array(
              z.strictObject({
                window: z.number().int().min(2).max(10_000).meta({ description: "Steps that it covers" }),
                shift: z
                  .number()
                  .int()
                  .min(1)
                  .max(10_000)
                  .meta({ description: "Steps before which it ends" }),
                statistic: z
                  .enum(["mean", "min", "max", "std"])
                  .meta({ description: "What is made of them" }),
              }),
            )
            .max(50),
        ).meta({ description: "Statistics of the target over a moving window" }),
        calendar: optional(z.boolean()).meta({
          description: "Hour, weekday, month and the like; true without it",
        }),
        differences: optional(
          z
            .array(
              z.strictObject({
                shift: z
                  .number()
                  .int()
                  .min(1)
                  .max(10_000)
                  .meta({ description: "Steps back at which it ends" }),
                span: z
                  .number()
                  .int()
                  .min(1)
                  .max(10_000)
                  .meta({ description: "Steps over which it is taken" }),
              }),
            )
            .max(50),
        ).meta({ description: "How much the target grew over some steps" }),
        combinations: optional(
          z
            .array(
              z.strictObject({
                operation: z
                  .enum(["ratio", "difference"])
                  .meta({ description: "What is made of the two; a ratio over 0 is missing" }),
                feature: z.string().min(1).max(1_000).meta({ description: "An input column with numbers" }),
                other: z.string().min(1).max(1_000).meta({ description: "The one that it is set against" }),
              }),
            )
            .max(50),
        ).meta({ description: "Ratios and differences of two inputs" }),
        holidays: optional(
          z.strictObject({
            country: z
              .enum(holidayCountries, {
                error: ({ input }) =>
                  `No holidays are known of a country "${shortened(input)}": write its code of two letters, such as US`,
              })
              .meta({ description: "Its ISO 3166 code, such as `US`", examples: ["US"] }),
            region: optional(z.string().min(1).max(20)).meta({
              description: "Code of a state or province, such as `WA`; the whole country's without it",
            }),
          }),
        ).meta({ description: "Public holidays, and the days until and since, for data with a timestamp" }),
        impute: optional(z.enum(["mean", "median"])).meta({
          description:
            "What missing numbers become; without it trees take them as missing, linear models the median",
        }),
      }),
    ).meta({ description: "What the model may use besides the columns" }),
    validation: optional(
      z.strictObject({
        fraction: z
          .number()
          .min(0.05)
          .max(0.5)
          .meta({ description: "Of the rows, the latest where there are times" }),
      }),
    ).meta({ description: "Rows that are kept back to judge the model; a fifth without it" }),
    horizon: optional(z.number().int().min(1).max(10_000)).meta({
      description: "Steps ahead that the model is validated on",
    }),
    hyperparameters: optional(Hyperparameters).meta({
      description: "Settings of the algorithms; each has a default",
    }),
    seed: optional(z.number().int().min(0).max(2_147_483_647)).meta({
      description: "The same seed on the same data gives the same model",
    }),
  })
  .superRefine((request, ctx) => {
    for (const { field, message } of contradictions(request)) {
      ctx.addIssue({ code: "custom", path: field.split("."), message });
    }
  });
export type TrainModel = z.infer<typeof TrainModel>;

export const ImportModel = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    format: optional(z.enum(["onnx", "xgboost-json"])).meta({ description: "`onnx` without it" }),
    modelName: z.string().trim().min(1).max(100).meta({ description: "Name of the model" }),
    target: z.string().min(1).max(1_000).meta({ description: "What it predicts" }),
    targetMetric: TargetMetric.meta({ description: "Metric by which it is judged" }),
    inputs: optional(
      z
        .array(
          z.strictObject({
            feature: z.string().min(1).max(1_000).meta({ description: "Name for callers" }),
            input: optional(z.string().max(1_000)).meta({ description: "Name of the model's input tensor" }),
            index: optional(z.number().int().min(0).max(100_000)).meta({
              description: "Place in that tensor, from 0",
            }),
            type: optional(ColumnTypeSchema).meta({
              description: "What its values are; `number` without it",
            }),
          }),
        )
        .max(10_000),
    ).meta({ description: "Features in the order of the model's inputs; its own names without it" }),
    output: optional(z.string().max(1_000)).meta({
      description:
        "Name of the output; without it the first of floating-point numbers (a classifier's probabilities), else the first of whole ones (its labels). One that a ZipMap gives may be named: its probabilities",
    }),
    outputColumn: optional(z.number().int().min(0).max(100_000)).meta({
      description:
        "Column of that output, from 0: of a classifier the class whose probability is the prediction. Of two the second without it; of more it must be said",
    }),
    labelledRows: optional(FileData).meta({
      description: "Base64 CSV with the target, for metrics and intervals",
    }),
  })
  .refine((body) => (body.fileData === undefined) !== (body.uploadId === undefined), {
    message: "Send either fileData or uploadId",
    path: ["fileData"],
  });
export type ImportModel = z.infer<typeof ImportModel>;
