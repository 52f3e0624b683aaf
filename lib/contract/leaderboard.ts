import { z } from "zod";

const Values = z.record(z.string(), z.number().nullable());

/** A candidate that a training evaluated. Models from before back-tests were stored have only a name and metrics. */
export const LeaderboardEntry = z
  .looseObject({
    name: z.string().describe("Name of the candidate."),
    algorithm: z
      .string()
      .optional()
      .describe("Algorithm of the candidate. `baseline` for the naive forecast, for comparison."),
    features: z.string().optional().describe("Past values of the target that the candidate uses."),
    chosen: z.boolean().optional().describe("Whether this candidate was chosen."),
    settings: z
      .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
      .optional()
      .describe("Settings that differ from the defaults, whether given or found."),
    mode: z
      .enum(["recursive", "direct", "independent"])
      .optional()
      .describe(
        "Forecasting mode, in training and in use. `recursive`: later steps use earlier predictions. `direct`: observed values only. `independent`: each row by itself.",
      ),
    horizon: z
      .number()
      .int()
      .nullable()
      .optional()
      .describe("Number of steps ahead over which the candidate was evaluated."),
    rung: z
      .number()
      .int()
      .optional()
      .describe(
        "Last rung of the search that the candidate reached: 1 for features, 2 for settings, 3 for families. 0 without a search.",
      ),
    backTest: z
      .object({
        metric: z.string().describe("Target metric, or `pinball` with a quantile loss."),
        folds: z
          .array(z.number().nullable())
          .describe("Error on each fold. For a series, the latest fold is last."),
        mean: z
          .number()
          .nullable()
          .describe(
            "Mean over the folds, weighted by the number of rows fitted on. The choice compares these means.",
          ),
        spread: z.number().nullable().describe("Standard deviation over the folds."),
      })
      .nullable()
      .optional()
      .describe(
        "Back-test errors in the last rung that the candidate reached, on rows that it was not fitted on. `null` if nothing was compared.",
      ),
    members: z
      .array(
        z.object({
          name: z.string().describe("Method with its form, such as `ETS(A,Ad,N)`."),
          weight: z
            .number()
            .describe(
              "Mean weight in the median over the horizon after the last row. The weights add up to 1.",
            ),
          error: z
            .number()
            .nullable()
            .describe(
              "Target metric of the member alone on the validation rows, which it was not fitted on. `null` if unknown.",
            ),
        }),
      )
      .optional()
      .describe("Members of a combination. Absent for other candidates."),
    validation: Values.nullable()
      .optional()
      .describe("Metrics on the validation rows. `null` if the candidate's training was not completed."),
    seconds: z.number().optional().describe("Time spent on the candidate, in seconds."),
  })
  .meta({ id: "LeaderboardEntry" });
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>;
