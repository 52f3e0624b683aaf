import { z } from "zod";
import { Buckets, bucketQuery, bucketUnits } from "./buckets.ts";
import { DateOrInstant, Id, Instant, repeatable } from "./common.ts";
import { limits } from "./limits.ts";
import { ChartQuery } from "./scenario-series.ts";
import { Values } from "./series-values.ts";

export const TargetSeriesQuery = ChartQuery.pick({ maxPoints: true }).extend({
  from: DateOrInstant.optional().describe("First time to include. Needs a timestamp."),
  to: DateOrInstant.optional().describe("Last time to include. Needs a timestamp."),
  bucket: z
    .enum(bucketUnits)
    .optional()
    .describe(
      "Calendar unit by which rows are aggregated, in the dataset's time zone. `from` and `to` extend to whole buckets. Needs a timestamp.",
    ),
  aggregate: bucketQuery.aggregate,
  series: repeatable(z.string().max(100))
    .optional()
    .describe(
      `IDs of the series to return beside their total, at most ${limits.targetSeries}. Only for a dataset of many series.`,
    ),
});
export type TargetSeriesQuery = z.infer<typeof TargetSeriesQuery>;

export const TargetSeries = z
  .object({
    target: z.string().describe("Name of the target column."),
    rowCount: z.number().int().describe("Number of rows of the dataset."),
    timestamps: z
      .array(Instant)
      .nullable()
      .describe("Time of each point. `null` if the dataset has no timestamp."),
    rows: z
      .array(z.number().int())
      .describe(
        "Row number of each point, starting at 1; of a bucket, that of its first row. Of many series, the number of its time.",
      ),
    values: Values.describe(
      "Value of the target at each point, for classes 0 and 1; of many series, their sum. `null` if it is missing.",
    ),
    series: z
      .array(
        z.object({
          id: Id.describe("ID of the series."),
          values: Values.describe("Value of the target at each point. `null` if it is missing."),
        }),
      )
      .optional()
      .describe("The requested series, at the points of the total. Present if requested by `series`."),
    buckets: Buckets.optional(),
  })
  .meta({ id: "TargetSeries" });
export type TargetSeries = z.infer<typeof TargetSeries>;
