import { z } from "zod";
import { Instant } from "./common.ts";

const PreviewPoints = z.object({
  timestamps: z.array(Instant).describe("Time of each point."),
  values: z
    .array(z.union([z.number(), z.string(), z.null()]))
    .describe("Value at each point: a number (booleans as 0 and 1) or a category. `null` if it is missing."),
});

export const GeneratedInput = z
  .object({
    feature: z.string().describe("Name of the input feature."),
    method: z
      .string()
      .describe("Method that extended the feature: the one with the smallest back-test error."),
    error: z
      .number()
      .nullable()
      .describe(
        "Back-test error of the method over as many steps as were generated. Mean absolute error, or share of wrong values for categories and codes. `null` if the history is too short for a back-test.",
      ),
    errorKind: z
      .enum(["absolute", "share"])
      .describe("Kind of `error`: mean absolute error, or share of wrong values."),
    origins: z.number().int().describe("Number of back-test origins."),
    followsDate: z
      .boolean()
      .optional()
      .describe(
        "`true` if the values follow from the dates of the rows, without an error. Otherwise absent.",
      ),
    plannedRows: z
      .number()
      .int()
      .optional()
      .describe(
        "Number of rows whose value is in the dataset, because the row was planned. Absent if there are none.",
      ),
    known: PreviewPoints.describe("End of the known history, at most 240 points."),
    generated: PreviewPoints.describe("Generated values, at most 240 points."),
  })
  .meta({ id: "GeneratedInput" });
export type GeneratedInput = z.infer<typeof GeneratedInput>;

export const GeneratedInputs = z
  .object({
    features: z
      .array(GeneratedInput)
      .describe("Generated features, in the model's order. Empty if the input does not extend a series."),
  })
  .meta({ id: "GeneratedInputs" });
export type GeneratedInputs = z.infer<typeof GeneratedInputs>;
