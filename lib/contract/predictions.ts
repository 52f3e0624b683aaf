import { z } from "zod";
import { Id, optional } from "./common.ts";
import { Warning } from "./datasets.ts";
import { PredictionColumns } from "./prediction-columns.ts";

export const PredictRequest = z.strictObject({
  input: PredictionColumns,
  checkpointId: optional(Id).meta({
    description: "The default checkpoint without it, else the current model",
  }),
  include: optional(z.array(z.enum(["intervals", "contributions"]))).meta({
    description: "What to answer with besides the predictions",
  }),
});
export type PredictRequest = z.infer<typeof PredictRequest>;

export const ContributionMethod = z
  .enum(["exact", "sampled"])
  .meta({ description: "`sampled`: an approximation, for models whose inside is not known" });

export const Prediction = z
  .object({
    predictions: z.array(z.number()).meta({ description: "One a row, in the input's order" }),
    rowCount: z.number().int().meta({ description: "Rows" }),
    checkpointId: Id.nullable().meta({ description: "What predicted; null: the current model" }),
    modelName: z.string().meta({ description: "Name of the model" }),
    target: z.string().meta({ description: "What is predicted" }),
    intervals: z
      .object({
        level: z.number().meta({ description: "How probable it is that the value lies within" }),
        lower: z.array(z.number()).meta({ description: "Lower end for each row" }),
        upper: z.array(z.number()).meta({ description: "Upper end for each row" }),
      })
      .optional()
      .meta({ description: "Where asked for, and the model knows them" }),
    contributions: z
      .object({
        method: ContributionMethod,
        baseValue: z.number().meta({ description: "What the model says of nothing in particular" }),
        features: z.array(z.string()).meta({ description: "Names of the input features" }),
        values: z
          .array(z.array(z.number()))
          .meta({ description: "For each row what each feature adds, in the order of `features`" }),
      })
      .optional()
      .meta({ description: "Where asked for: `baseValue` and a row's values add up to its prediction" }),
    warnings: z.array(Warning).meta({ description: "What does not stop the input from being used" }),
  })
  .meta({ id: "Prediction" });
export type Prediction = z.infer<typeof Prediction>;
