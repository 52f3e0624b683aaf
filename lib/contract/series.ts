import { z } from "zod";
import { Id, Instant, ListQuery } from "./common.ts";
import { limits } from "./limits.ts";

/** Errors of a series in back-tests, and its size there. */
export const seriesMeasures = ["actual", "mase", "wape", "bias"] as const;

const seriesSorts = [
  "name",
  "rowCount",
  "firstTimestamp",
  "lastTimestamp",
  "gaps",
  ...seriesMeasures,
] as const;

export const SeriesListQuery = ListQuery.extend({
  search: z
    .string()
    .normalize("NFC")
    .max(limits.searchMax)
    .optional()
    .describe("Returns only series whose values contain every word of this text, in any case."),
  sort: z
    .enum(seriesSorts)
    .optional()
    .describe(
      "Value to sort by: name (default), number of rows, first or last time, number of gaps, or one of `metrics`. Names that are numbers are sorted by size. Series without the metric come last.",
    ),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .describe("Ascending or descending order. Defaults to `asc` for names and first times, else to `desc`."),
});
export type SeriesListQuery = z.infer<typeof SeriesListQuery>;

export const ListedSeries = z
  .object({
    id: Id.describe("Unique identifier of the series. Stays the same for the same values within a project."),
    values: z
      .record(z.string(), z.string())
      .meta({ description: "Values of the series columns.", examples: [{ store: "A", item: "7" }] }),
    rowCount: z.number().int().describe("Number of rows."),
    firstTimestamp: Instant.describe("Time of the first row."),
    lastTimestamp: Instant.describe("Time of the last row."),
    gaps: z
      .number()
      .int()
      .describe("Number of steps without a row between the first and last time. 0 without a regular step."),
    metrics: z
      .record(z.string(), z.number().nullable())
      .nullable()
      .describe(
        "Metrics of the current model on this series in back-tests: `mase`, `wape`, `bias`, and `actual`, the sum of the actual values. `null` without a model or back-tests; of older models, only the worst and largest series have metrics.",
      ),
  })
  .meta({ id: "ListedSeries", description: "A series of a project's dataset." });
export type ListedSeries = z.infer<typeof ListedSeries>;
