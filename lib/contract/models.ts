import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { ColumnTypeSchema, FileData } from "./datasets.ts";

export const TargetMetric = z.enum(["rmse", "mae", "mape", "r2"]);
export type TargetMetric = z.infer<typeof TargetMetric>;

/** Name → number; null where the metric is not defined (MAPE of zeros). */
export const Metrics = z.record(z.string(), z.number().nullable());
export const TrainingMetrics = z
  .object({ train: Metrics.nullable(), validation: Metrics.nullable(), baseline: Metrics.nullable() })
  .meta({ id: "TrainingMetrics" });
export type TrainingMetrics = z.infer<typeof TrainingMetrics>;

export const InputFeature = z
  .object({
    name: z.string(),
    type: ColumnTypeSchema,
    role: z.enum(["input", "upstream", "timestamp"]),
    required: z.boolean(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    mean: z.number().nullable(),
    median: z.number().nullable(),
    missing: z.number().int().nullable(),
    categories: z.array(z.string()).nullable(),
    sourceProjectId: Id.nullable(),
  })
  .meta({ id: "InputFeature" });
export type InputFeature = z.infer<typeof InputFeature>;

export const FeatureEngineering = z
  .object({ version: z.number().int(), steps: z.array(z.looseObject({ op: z.string() })) })
  .meta({ id: "FeatureEngineering" });
export type FeatureEngineering = z.infer<typeof FeatureEngineering>;

export const Importance = z.object({ feature: z.string(), gain: z.number() }).meta({ id: "Importance" });

/** Actual and predicted values on the validation rows, at most 1,000 points, for the picture on the model page. */
export const ValidationPreview = z
  .object({
    timestamps: z.array(Instant).nullable(),
    rows: z.array(z.number().int()),
    actual: z.array(z.number().nullable()),
    predicted: z.array(z.number().nullable()),
  })
  .meta({ id: "ValidationPreview" });

export const Model = z
  .object({
    id: Id,
    projectId: Id,
    modelName: z.string(),
    algorithm: z.string(),
    source: z.enum(["trained", "imported"]),
    isCurrent: z.boolean(),
    target: z.string(),
    targetMetric: z.string(),
    primaryMetricValue: z.number().nullable(),
    trainingMetrics: TrainingMetrics,
    inputFeatures: z.array(InputFeature),
    featureEngineering: FeatureEngineering,
    importance: z.array(Importance),
    validation: ValidationPreview.nullable(),
    leaderboard: z.array(z.looseObject({ name: z.string() })),
    coverage: z
      .number()
      .nullable()
      .meta({ description: "Observed coverage of the 90 % interval on held-out rows" }),
    modelFormat: z.string(),
    artifactBytes: z.number().int(),
    trainedAt: Instant,
    trainingRows: z.number().int(),
    createdBy: z.string(),
  })
  .meta({ id: "Model" });
export type Model = z.infer<typeof Model>;

export const TrainModel = z.strictObject({
  algorithm: z
    .enum(["auto", "gradient_boosting", "ridge"])
    .optional()
    .meta({ description: "`auto`, the default, tries both and keeps the better one" }),
  targetMetric: TargetMetric.optional().meta({
    description: "Decides which model is kept; `rmse` without it",
  }),
  features: z
    .strictObject({
      lags: z.array(z.number().int().min(1).max(10_000)).max(50).optional(),
      rolling: z
        .array(
          z.strictObject({
            window: z.number().int().min(2).max(10_000),
            shift: z.number().int().min(1).max(10_000),
            statistic: z.enum(["mean", "min", "max", "std"]),
          }),
        )
        .max(50)
        .optional(),
      calendar: z.boolean().optional(),
    })
    .optional(),
  validation: z.strictObject({ fraction: z.number().min(0.05).max(0.5) }).optional(),
  horizon: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: "Steps ahead that the model is validated on" }),
  hyperparameters: z
    .strictObject({
      rounds: z.number().int().min(1).max(5_000).optional(),
      maxLeaves: z.number().int().min(2).max(1_024).optional(),
      learningRate: z.number().gt(0).max(1).optional(),
      minLeaf: z.number().int().min(1).max(100_000).optional(),
      l2: z.number().min(0).max(1e9).optional(),
      subsample: z.number().gt(0).max(1).optional(),
      colsample: z.number().gt(0).max(1).optional(),
      earlyStopping: z.boolean().optional(),
      alpha: z.number().min(0).max(1e9).optional(),
    })
    .optional(),
  seed: z.number().int().min(0).max(2_147_483_647).optional(),
});
export type TrainModel = z.infer<typeof TrainModel>;

export const ImportModel = z
  .strictObject({
    fileData: FileData.optional(),
    uploadId: Id.optional(),
    format: z.enum(["onnx", "xgboost-json"]).optional(),
    modelName: z.string().trim().min(1).max(100),
    target: z.string().min(1).max(1_000),
    targetMetric: TargetMetric,
    inputs: z
      .array(
        z.strictObject({
          feature: z.string().min(1).max(1_000),
          input: z.string().max(1_000).optional(),
          index: z.number().int().min(0).max(100_000).optional(),
          type: ColumnTypeSchema.optional(),
        }),
      )
      .max(10_000)
      .optional(),
    output: z
      .string()
      .max(1_000)
      .optional()
      .meta({ description: "Name of the output; the first that fits without it" }),
    labelledRows: FileData.optional().meta({
      description: "Base64 CSV with the target, for metrics and intervals",
    }),
  })
  .refine((body) => (body.fileData === undefined) !== (body.uploadId === undefined), {
    message: "Send either fileData or uploadId",
    path: ["fileData"],
  });
export type ImportModel = z.infer<typeof ImportModel>;
