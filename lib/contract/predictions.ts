import { z } from "zod";
import { ClassNames } from "./classification.ts";
import { Id, optional } from "./common.ts";
import { contributionFields } from "./contributions.ts";
import { LevelBounds, Levels, level } from "./intervals.ts";
import { PredictionColumns } from "./prediction-columns.ts";
import { Warning } from "./warnings.ts";

const PredictFields = z.strictObject({
  input: PredictionColumns,
  checkpointId: optional(Id).describe(
    "ID of the checkpoint to use. Defaults to the default checkpoint, else to the current model.",
  ),
  include: optional(z.array(z.enum(["intervals", "contributions"]))).describe(
    "Additional data to return with the predictions.",
  ),
  levels: optional(Levels).describe(
    "Levels of additional prediction intervals: `intervals.levels`. Requires `intervals` in `include`.",
  ),
});

export const PredictRequest = PredictFields.refine(
  ({ include, levels }) => levels === undefined || include?.includes("intervals"),
  { path: ["levels"], error: 'Add "intervals" to `include`, or remove `levels`' },
);
export type PredictRequest = z.infer<typeof PredictRequest>;

export const Prediction = z
  .object({
    predictions: z.array(z.number()).describe("Predictions, one per row, in the input's order."),
    rowCount: z.number().int().describe("Number of rows."),
    checkpointId: Id.nullable().describe(
      "ID of the checkpoint that predicted. `null` if the current model predicted.",
    ),
    modelName: z.string().describe("Name of the model."),
    target: z.string().describe("Name of the predicted value."),
    classes: ClassNames.optional(),
    intervals: z
      .object({
        level,
        lower: z.array(z.number()).describe("Lower bound of the prediction interval of each row."),
        upper: z.array(z.number()).describe("Upper bound of the prediction interval of each row."),
        levels: z.array(LevelBounds).optional().describe("Prediction intervals at the requested `levels`."),
      })
      .optional()
      .describe("Prediction intervals. Present if requested and the model has them."),
    contributions: z
      .object(contributionFields)
      .optional()
      .describe(
        "Feature contributions. Present if requested. `baseValue` plus a row's values equals its prediction, on the `scale`.",
      ),
    warnings: z.array(Warning).describe("Warnings that do not prevent the use of the input."),
  })
  .meta({ id: "Prediction" });
export type Prediction = z.infer<typeof Prediction>;
