import { z } from "zod";
import { optional } from "./common.ts";
import { ColumnTypeSchema, FileData, UploadId } from "./datasets.ts";
import { TargetMetric } from "./models.ts";

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
