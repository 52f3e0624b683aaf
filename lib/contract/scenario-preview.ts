import { z } from "zod";
import { aggregates, Buckets, bucketUnits, RowCounts } from "./buckets.ts";
import { optional } from "./common.ts";
import { differenceFields, Levels } from "./intervals.ts";
import { limits } from "./limits.ts";
import { Explanation } from "./scenario-differences.ts";
import { pointPlaces } from "./scenario-series.ts";
import { Adjustment, Summary } from "./scenarios.ts";
import { seriesChoice } from "./series-query.ts";
import { levels, Values } from "./series-values.ts";

export const PreviewRequest = z.strictObject({
  adjustments: z
    .array(Adjustment)
    .max(limits.adjustmentsMax)
    .describe("Changes to the scenario's input, in order. Can be empty."),
  maxPoints: optional(z.number().int().min(2).max(20_000)).describe(
    "Maximum number of points. Downsampling keeps the extremes.",
  ),
  levels: optional(Levels).describe("Levels of additional prediction intervals."),
  bucket: optional(z.enum(["auto", ...bucketUnits])).describe(
    "Calendar unit by which rows are aggregated, as in the chart of the predictions.",
  ),
  aggregate: optional(z.enum(aggregates)).describe("Statistic of the rows of a bucket."),
  explain: optional(z.boolean()).describe(
    "Whether to return `explanation`. Several changed inputs take longer. Defaults to `false`.",
  ),
  ...seriesChoice,
});
export type PreviewRequest = z.infer<typeof PreviewRequest>;

const series = z.object({
  values: Values.describe("Prediction at each point."),
  lower: Values.describe("Lower bounds of the 90% prediction intervals."),
  upper: Values.describe("Upper bounds of the 90% prediction intervals."),
  levels,
  rowCounts: RowCounts,
});

export const ScenarioPreview = z
  .object({
    rowCount: z.number().int().describe("Number of rows of the scenario, or of its chosen series."),
    ...pointPlaces("the scenario"),
    buckets: Buckets.optional(),
    saved: series.describe("Predictions of the scenario."),
    preview: series.describe("Predictions with the adjustments, at the same points."),
    summary: Summary,
    totalDifference: z
      .number()
      .nullable()
      .describe("Sum of the predictions with the adjustments, minus that of the scenario."),
    ...differenceFields,
    percentDifference: z.number().nullable().describe("Total difference, in percent of the scenario's sum."),
    changedRows: z.array(z.number().int()).describe("Number of rows that each adjustment changes."),
    explanation: Explanation.optional().describe(
      "Causes of the total difference, by rows. Present with `explain`.",
    ),
  })
  .meta({
    id: "ScenarioPreview",
    description: "Predictions of a scenario with adjusted inputs, not stored.",
  });
export type ScenarioPreview = z.infer<typeof ScenarioPreview>;
