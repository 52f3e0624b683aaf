import { z } from "zod";

const Values = z.record(z.string(), z.number().nullable());

/** One thing that a training tried. Models from before back-tests were kept have name and metrics alone. */
export const LeaderboardEntry = z
  .looseObject({
    name: z.string().meta({ description: "Name of the candidate" }),
    algorithm: z.string().optional().meta({ description: "Its kind; `baseline` for what all must beat" }),
    features: z.string().optional().meta({ description: "Which values of the target it looks back at" }),
    chosen: z.boolean().optional().meta({ description: "Whether it was kept" }),
    settings: z
      .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
      .optional()
      .meta({ description: "Settings that are not the default, given or found" }),
    mode: z.enum(["recursive", "direct", "independent"]).optional().meta({
      description:
        "How it forecasts, here and in use: fed its own predictions, on observations alone, or each row by itself",
    }),
    horizon: z
      .number()
      .int()
      .nullable()
      .optional()
      .meta({ description: "Steps ahead that it was tried for" }),
    rung: z.number().int().optional().meta({
      description: "How far it came: 1 features, 2 settings, 3 families; 0 without a search",
    }),
    backTest: z
      .object({
        metric: z.string().meta({ description: "Target metric, or `pinball` with the loss of a quantile" }),
        folds: z.array(z.number().nullable()).meta({ description: "Of a series the latest last" }),
        mean: z.number().nullable().meta({
          description: "Mean over the folds, weighted by the rows learned from; the least is chosen",
        }),
        spread: z.number().nullable().meta({ description: "Standard deviation over the folds" }),
      })
      .nullable()
      .optional()
      .meta({
        description:
          "Errors on rows that it had not learned from, in the last rung that it reached; null where nothing was compared",
      }),
    validation: Values.nullable().optional().meta({
      description: "Metrics on the validation rows; null for what was not trained to the end",
    }),
    seconds: z.number().optional().meta({ description: "Spent on it" }),
  })
  .meta({ id: "LeaderboardEntry" });
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>;
