import { z } from "zod";
import { Instant } from "./common.ts";

const Points = z.object({
  timestamps: z.array(Instant).meta({ description: "Their times" }),
  values: z
    .array(z.union([z.number(), z.string(), z.null()]))
    .meta({ description: "Numbers (booleans as 0 and 1) or categories; null where there is none" }),
});

export const GeneratedInput = z
  .object({
    feature: z.string().meta({ description: "The input feature" }),
    method: z
      .string()
      .meta({ description: "How it was continued: what did best when tried from earlier dates" }),
    error: z.number().nullable().meta({
      description:
        "Of the method when tried from earlier dates as far ahead: the mean absolute error, or the share of wrong values where they are categories or codes; null where the history is too short to try",
    }),
    errorKind: z.enum(["absolute", "share"]).meta({ description: "Which of the two" }),
    origins: z.number().int().meta({ description: "How many earlier dates it was tried from" }),
    known: Points.meta({ description: "The end of what is known, at most 240 points" }),
    generated: Points.meta({ description: "What was generated, at most 240 points" }),
  })
  .meta({ id: "GeneratedInput" });
export type GeneratedInput = z.infer<typeof GeneratedInput>;

export const GeneratedInputs = z
  .object({
    features: z
      .array(GeneratedInput)
      .meta({ description: "In the model's order; none where the input was not continued from a series" }),
  })
  .meta({ id: "GeneratedInputs" });
export type GeneratedInputs = z.infer<typeof GeneratedInputs>;
