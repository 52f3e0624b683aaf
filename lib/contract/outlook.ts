import { z } from "zod";
import { Instant } from "./common.ts";
import { ScenarioActualsQuery } from "./scenario-series.ts";

const outlookPeriods = ["month", "quarter", "year"] as const;
export type OutlookUnit = (typeof outlookPeriods)[number];

export const OutlookQuery = ScenarioActualsQuery.omit({
  maxPoints: true,
  levels: true,
  by: true,
  limit: true,
  cursor: true,
}).extend({
  period: z
    .enum(outlookPeriods)
    .default("month")
    .describe(
      "Calendar unit to add up, in the dataset's time zone. `from` and `to` extend to whole periods, and default to the span of the scenario.",
    ),
});

export const OutlookPeriod = z
  .object({
    start: Instant.describe("Start of the period."),
    end: Instant.describe("End of the period: the start of the next one."),
    actual: z.number().nullable().describe("Sum of the known actual values. `null` without any."),
    actualRows: z.number().int().describe("Number of known actual values."),
    forecast: z
      .number()
      .nullable()
      .describe(
        "Sum of the predictions, with overrides, of rows without an actual value. `null` without any.",
      ),
    forecastRows: z.number().int().describe("Number of these predictions."),
    total: z
      .number()
      .nullable()
      .describe(
        "Actual values to date and forecast of the rest. `null` if overrides make it too large for a number.",
      ),
    lower: z
      .number()
      .nullable()
      .describe(
        "Lower bound of the 90% prediction interval of the total. Only the forecast is uncertain. `null` if its interval is not known.",
      ),
    upper: z.number().nullable().describe("Upper bound of the 90% prediction interval of the total."),
  })
  .meta({ id: "OutlookPeriod", description: "Actual values to date and forecast of the rest of a period." });
export type OutlookPeriod = z.infer<typeof OutlookPeriod>;
