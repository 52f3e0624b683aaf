import { z } from "zod";
import { Id } from "./common.ts";
import { Warning } from "./datasets.ts";

export const Cell = z.union([z.number(), z.string().max(10_000), z.boolean(), z.null()]);

export const PredictRequest = z.strictObject({
  input: z.record(z.string(), z.array(Cell)).meta({ description: "Feature name → its values, one a row" }),
  checkpointId: Id.nullish().meta({
    description: "The default checkpoint without it, else the current model",
  }),
  include: z
    .array(z.enum(["intervals", "contributions"]))
    .optional()
    .meta({ description: "What to answer with besides the predictions" }),
});
export type PredictRequest = z.infer<typeof PredictRequest>;

export const ContributionMethod = z
  .enum(["exact", "sampled"])
  .meta({ description: "`sampled`: an approximation, for models whose inside is not known" });

export const Prediction = z
  .object({
    predictions: z.array(z.number()),
    rowCount: z.number().int(),
    checkpointId: Id.nullable(),
    modelName: z.string(),
    target: z.string(),
    intervals: z
      .object({ level: z.number(), lower: z.array(z.number()), upper: z.array(z.number()) })
      .optional(),
    contributions: z
      .object({
        method: ContributionMethod,
        baseValue: z.number(),
        features: z.array(z.string()),
        values: z.array(z.array(z.number())),
      })
      .optional(),
    warnings: z.array(Warning),
  })
  .meta({ id: "Prediction" });
export type Prediction = z.infer<typeof Prediction>;
