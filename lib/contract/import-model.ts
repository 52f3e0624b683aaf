import { z } from "zod";
import { optional } from "./common.ts";
import { FileData, oneSource, UploadId } from "./dataset-requests.ts";
import { ColumnName, ColumnTypeSchema } from "./datasets.ts";
import { NUMBER_METRICS } from "./metric-names.ts";
import { visibleLine } from "./visible-line.ts";

/** A place in an imported model's outputs that can be the prediction. */
export const OutputOption = z.object({
  output: z.string().describe("Name of the output, for `output` of the import."),
  outputColumn: z
    .number()
    .int()
    .nullable()
    .describe("Column, for `outputColumn` of the import. `null` if the output has one column."),
  label: z.string().nullable().describe("Class whose probability the column holds. `null` if unknown."),
  elementType: z.string().describe("Type of the output's values, such as `float32`."),
  shape: z
    .array(z.union([z.number(), z.string()]))
    .describe("Sizes of the output. The first is the number of rows; open sizes have a name or `?`."),
});
export type OutputOption = z.infer<typeof OutputOption>;

export const ImportModel = z
  .strictObject({
    fileData: optional(FileData),
    uploadId: optional(UploadId),
    format: optional(z.enum(["onnx", "xgboost-json"])).describe("Format of the file. Defaults to `onnx`."),
    rounds: optional(z.enum(["best", "all"])).describe(
      "Rounds of an XGBoost model that was trained with early stopping: those up to the best iteration (the default, as scikit-learn's wrapper predicts), or all.",
    ),
    modelName: visibleLine(1, 100).describe("Name of the model."),
    target: ColumnName.describe("Name of the value that the model predicts."),
    targetMetric: z.enum(NUMBER_METRICS).describe("Metric by which the model is judged."),
    inputs: optional(
      z
        .array(
          z.strictObject({
            feature: ColumnName.describe("Name of the feature in requests."),
            input: optional(z.string().max(1_000)).describe("Name of the model's input tensor."),
            index: optional(z.number().int().min(0).max(100_000)).describe(
              "Position in the input tensor, starting at 0.",
            ),
            type: optional(ColumnTypeSchema).describe("Type of the values. Defaults to `number`."),
          }),
        )
        .max(10_000),
    ).describe("Features, in the order of the model's inputs. Defaults to the names in the model."),
    output: optional(z.string().max(1_000)).describe(
      "Name of the output. Defaults to the only floating-point output (a classifier's probabilities), else to the only integer output (its labels). The output of a ZipMap is also allowed and gives its probabilities. If several outputs remain, the job fails and lists them in `outputOptions`.",
    ),
    outputColumn: optional(z.number().int().min(0).max(100_000)).describe(
      "Column of the output, starting at 0. For a classifier: the class whose probability is the prediction. Defaults to the second of two classes. Required for more than two classes and for several values that are not probabilities.",
    ),
    labelledRows: optional(FileData).describe(
      "CSV in base64 that includes the target. Used for metrics and prediction intervals.",
    ),
  })
  .refine(...oneSource);
export type ImportModel = z.infer<typeof ImportModel>;
