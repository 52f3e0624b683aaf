import { z } from "zod";

const Measure = {
  mase: z
    .number()
    .nullable()
    .describe(
      "Mean absolute error as a multiple of the error of the seasonal naive forecast one step ahead. `null` if that is 0.",
    ),
  wape: z
    .number()
    .nullable()
    .describe("Sum of absolute errors divided by the sum of absolute actual values."),
  bias: z
    .number()
    .nullable()
    .describe("Sum of errors (predicted minus actual) divided by the sum of absolute actual values."),
};
const Values = z.record(z.string(), z.string()).describe("Values of the series columns.");

const MeasuredSeries = z.object({
  values: Values,
  actual: z.number().describe("Sum of the actual values in the back-tests."),
  predicted: z.number().describe("Sum of the predictions in the back-tests."),
  ...Measure,
});

/** Errors of a model of many series in back-tests, by series and by level. */
export const PanelMetrics = z
  .object({
    columns: z.array(z.string()).describe("Names of the series columns."),
    series: z.number().int().describe("Number of series."),
    levels: z
      .array(
        z.object({
          by: z
            .array(z.string())
            .describe("Columns whose values the rows are summed by. Empty for the total over all series."),
          groups: z.number().int().describe("Number of sums at each time."),
          ...Measure,
          meanMase: z
            .number()
            .nullable()
            .describe("Mean of the MASE of all sums, each with the same weight."),
          coverage: z
            .number()
            .nullable()
            .optional()
            .describe(
              "Share of the actual values within the 90% prediction intervals of these sums. `null` without intervals; absent for older models.",
            ),
        }),
      )
      .describe("Errors of sums, from the total to the single series."),
    worst: z.array(MeasuredSeries).describe("Series with the largest MASE, at most 10."),
    largest: z
      .array(MeasuredSeries)
      .describe("Series with the largest sum of absolute actual values, at most 10."),
    mase: z
      .array(z.number())
      .describe(
        "Quantiles of the MASE over series, from the minimum to the maximum in steps of 10%. Empty if not known.",
      ),
    effects: z
      .array(
        z.object({
          feature: z.string().describe("Name of the numeric input."),
          quantiles: z
            .array(z.number())
            .describe(
              "Quantiles over series of the effect that `effects` of the model states, from the minimum to the maximum in steps of 10%.",
            ),
          groups: z
            .array(
              z.object({
                by: z.string().describe("Name of a series column or a level column."),
                values: z
                  .array(
                    z.object({
                      value: z.string().describe("Value of the column."),
                      effect: z.number().describe("Mean effect on the series with this value."),
                    }),
                  )
                  .describe("Mean effect by value, ascending."),
              }),
            )
            .describe("Effects by the values of columns with at most 50 values."),
        }),
      )
      .optional()
      .describe("How the effects of the first 20 numeric inputs differ between series."),
  })
  .meta({ id: "PanelMetrics" });
export type PanelMetrics = z.infer<typeof PanelMetrics>;
