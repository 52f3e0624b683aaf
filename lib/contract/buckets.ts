import { z } from "zod";
import { Instant } from "./common.ts";

export const bucketUnits = ["hour", "day", "week", "month", "quarter", "year"] as const;
export type BucketUnit = (typeof bucketUnits)[number];

export const aggregates = ["sum", "mean", "last"] as const;
export type Aggregate = (typeof aggregates)[number];

/** Query parameters of an aggregated series: `?bucket=day&aggregate=sum`. */
export const bucketQuery = {
  bucket: z
    .enum(["auto", ...bucketUnits])
    .optional()
    .describe(
      "Calendar unit by which rows are aggregated, in the dataset's time zone. Weeks begin on Monday. `auto`: no aggregation for at most half of `maxPoints` (default 1,000) rows, otherwise the shortest unit with at most that many buckets. `from` and `to` extend to whole buckets.",
    ),
  aggregate: z
    .enum(aggregates)
    .optional()
    .describe(
      "Statistic of the rows of a bucket. Defaults to the statistic by which the dataset was resampled, or to `mean`.",
    ),
};

/** Aggregation of the points of a response. */
export const Buckets = z
  .object({
    unit: z.enum(bucketUnits).describe("Calendar unit of each point."),
    aggregate: z.enum(aggregates).describe("Statistic of the rows of a bucket."),
    timezone: z.string().describe("IANA time zone in which buckets begin."),
    from: Instant.nullable().describe("Time of the first aggregated row. `null` without rows."),
    to: Instant.nullable().describe("Time of the last aggregated row. `null` without rows."),
    complete: z
      .array(z.boolean())
      .describe(
        "Whether the series covers the whole bucket, for each point. Only the first and the last bucket can be incomplete.",
      ),
  })
  .meta({ id: "Buckets", description: "Aggregation of the points." });
export type Buckets = z.infer<typeof Buckets>;

export const RowCounts = z
  .array(z.number().int())
  .optional()
  .describe("Number of aggregated rows at each point. Absent if the points are rows.");
