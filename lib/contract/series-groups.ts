import { z } from "zod";
import { RowCounts } from "./buckets.ts";
import { ComparedId } from "./scenario-runs.ts";
import { levels, Values } from "./series-values.ts";

const group = {
  values: z
    .record(z.string(), z.string())
    .describe("Value of each column in `by`. An empty text is a missing value."),
  seriesCount: z.number().int().describe("Number of series in the group."),
};

const seriesOfGroup = {
  scenarioId: ComparedId,
  values: Values.describe(
    "Sum of the group's predictions at each point, or their mean with `combine=mean`. `null` without predictions.",
  ),
  lower: Values.describe(
    "Lower bounds of the 90% prediction intervals. `null` if the errors of sums are not known.",
  ),
  upper: Values.describe(
    "Upper bounds of the 90% prediction intervals. `null` if the errors of sums are not known.",
  ),
  levels,
  rowCounts: RowCounts,
  total: z
    .number()
    .nullable()
    .describe("Sum of the group's predictions from `from` to `to`, or their mean with `combine=mean`."),
};

const order = "in descending order of absolute total";

/** Groups of a scenario's series, at the points of the chart. */
export const ChartGroups = z
  .array(
    z.object({
      ...group,
      series: z.array(z.object(seriesOfGroup)).describe("The scenario's predictions of the group."),
    }),
  )
  .describe(`Groups of series, ${order}. Present if requested by \`by\`. Their sums add up to the chart.`);
export type ChartGroups = z.infer<typeof ChartGroups>;

/** Groups of the series of compared scenarios, at the points of the comparison. */
export const ComparedGroups = z
  .array(
    z.object({
      ...group,
      series: z
        .array(
          z.object({
            ...seriesOfGroup,
            differences: Values.describe(
              "Difference from the baseline at each point. `null` if the scenario or the baseline has no value.",
            ),
            cumulative: Values.describe("Cumulative difference from the baseline since the first point."),
            totalDifference: z.number().nullable().describe("Sum of the differences."),
            percentDifference: z
              .number()
              .nullable()
              .describe("Sum of the differences, in percent of the baseline's sum."),
          }),
        )
        .describe("Predictions of the group by each scenario, in the order of `scenarios`."),
    }),
  )
  .describe(
    `Groups of series, ${order} of the baseline. Present if requested by \`by\`. Their sums add up to \`series\`.`,
  );
export type ComparedGroups = z.infer<typeof ComparedGroups>;
