import { z } from "zod";
import { INTERVAL_LEVELS } from "./interval-shape.ts";

const message = `Use levels among ${INTERVAL_LEVELS.join(", ")}, each at most once`;
const isEachOnce = (levels: readonly number[]) => new Set(levels).size === levels.length;
const Level = z.literal(INTERVAL_LEVELS, { error: message });

/** Levels in a body. */
export const Levels = z.array(Level).min(1, { error: message }).refine(isEachOnce, message);

/** Levels in a query: `levels=0.5,0.8`. */
export const LevelsQuery = z
  .string()
  .max(100)
  .transform((text) => text.split(",").map(Number))
  .pipe(Levels)
  .optional()
  .describe(
    `Levels of additional prediction intervals, separated by commas, among ${INTERVAL_LEVELS.join(", ")}.`,
  );

const Bounds = z.array(z.number().nullable());

export const level = z
  .number()
  .describe("Nominal probability that the actual value lies within the prediction interval.");

/** Bounds at one level, by row or point. */
export const LevelBounds = z
  .object({
    level,
    lower: Bounds.describe("Lower bounds."),
    upper: Bounds.describe("Upper bounds."),
  })
  .meta({ id: "LevelBounds", description: "Prediction intervals at one level." });
export type LevelBounds = z.infer<typeof LevelBounds>;

/** Prediction interval of one number. */
export const Interval = z
  .object({
    level,
    lower: z.number().nullable().describe("Lower bound."),
    upper: z.number().nullable().describe("Upper bound."),
  })
  .meta({ id: "Interval", description: "Prediction interval of one number." });
export type Interval = z.infer<typeof Interval>;

/** Observed coverage of the 90% interval over some steps ahead. */
export const StepCoverage = z
  .object({
    fromStep: z.number().int().describe("First step ahead, starting at 1."),
    toStep: z.number().int().describe("Last step ahead."),
    coverage: z.number().describe("Share of rows inside the interval."),
    rows: z.number().int().describe("Number of rows."),
  })
  .meta({
    id: "StepCoverage",
    description: "Observed coverage of the 90% prediction interval by step ahead.",
  });
export type StepCoverage = z.infer<typeof StepCoverage>;

/** Uncertainty of a difference of two scenarios' sums. */
export const differenceFields = {
  totalDifferenceInterval: Interval.nullable()
    .optional()
    .describe(
      "Interval of the total difference, from the uncertainty of the model's effects. `null` if it is not known or the rows differ.",
    ),
  differsAtLevel: z
    .number()
    .nullable()
    .optional()
    .describe(
      "Highest level, among 0.5, 0.8, 0.9 and 0.95, whose interval of the total difference excludes 0. `null` if none does.",
    ),
};
