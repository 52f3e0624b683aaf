import { z } from "zod";
import { optional, RepeatedDateOrInstant } from "./common.ts";
import { ColumnName } from "./datasets.ts";
import { limits } from "./limits.ts";
import { Adjustment } from "./scenarios.ts";
import { seriesChoice } from "./series-query.ts";

const Lever = z
  .strictObject({
    feature: ColumnName.describe("Name of the numeric input to change."),
    operation: Adjustment.shape.operation,
    min: z.number().describe("Smallest operand."),
    max: z.number().describe("Largest operand."),
    step: z.number().positive().describe("Distance between operands: `min`, `min + step`, … up to `max`."),
  })
  .refine(({ min, max }) => min <= max, { error: "`max` must not be less than `min`", path: ["max"] })
  .refine(({ min, max, step }) => (max - min) / step < limits.leverValues, {
    error: "Use a larger step: a lever has at most 10,000 values",
    path: ["step"],
  })
  .meta({ id: "Lever", description: "An adjustment whose operand is sought." });

const Condition = z
  .strictObject({
    statistic: z
      .enum(["sum", "mean", "min", "max"])
      .describe("Statistic over the span. `max` with `atMost` limits every row."),
    of: optional(z.enum(["prediction", "lower", "upper"])).describe(
      "Prediction, or a bound of its 90% prediction interval. Defaults to `prediction`.",
    ),
    relation: z.enum(["equal", "atMost", "atLeast"]).describe("Relation to `value`."),
    value: z.number().describe("Value to reach."),
  })
  .meta({ id: "GoalCondition" });

export const GoalSeekRequest = z.strictObject({
  levers: z.array(Lever).min(1).max(limits.levers).describe("Levers, at most 6."),
  goal: Condition.describe("Condition to reach, or to come closest to."),
  constraints: optional(z.array(Condition).max(limits.goalConstraints)).describe(
    "Conditions that the result must meet, at most 5.",
  ),
  from: optional(RepeatedDateOrInstant).describe("First time of the span. Only for scenarios with times."),
  to: optional(RepeatedDateOrInstant).describe("Last time of the span, inclusive."),
  ...seriesChoice,
});
export type GoalSeekRequest = z.infer<typeof GoalSeekRequest>;

const statistic = z.number().nullable();

export const GoalSeekResult = z
  .object({
    status: z
      .enum(["reached", "closest", "infeasible"])
      .describe(
        "Result of the search. `reached`: the setting meets the goal and the constraints; an `equal` goal is met within 1%. `closest`: it meets the constraints and misses the goal. `infeasible`: it misses a constraint.",
      ),
    isProven: z
      .boolean()
      .describe(
        "Whether every setting was evaluated. Then no setting is better, and an infeasible problem has no solution. Otherwise the result is the best setting found.",
      ),
    gap: z
      .number()
      .nullable()
      .describe(
        "Proven optimality gap: no setting is closer to the goal by more than this share of the goal's value. 0 if every setting was evaluated. `null` for `infeasible` and for a goal of 0.",
      ),
    evaluatedSettings: z.number().int().describe("Number of settings that were evaluated."),
    settings: z.number().describe("Number of possible settings: combinations of the levers' operands."),
    rowCount: z.number().int().describe("Number of rows in the span."),
    adjustments: z
      .array(Adjustment)
      .describe("Best setting, as adjustments for a new scenario that is based on this one."),
    goal: statistic.describe("Statistic of the goal in the best setting."),
    constraints: z.array(statistic).describe("Statistic of each constraint in the best setting."),
    outside: z
      .array(
        z.object({
          feature: z.string().describe("Name of the input feature."),
          rows: z.number().int().describe("Number of its rows outside the training data."),
        }),
      )
      .describe("Levers' inputs that the best setting moves outside the range of the training data."),
  })
  .meta({ id: "GoalSeekResult" });
export type GoalSeekResult = z.infer<typeof GoalSeekResult>;
