import { z } from "zod";

/** Errors of each series in back-tests, of a model of many series. Only models trained by this version or later have it. */
export const SERIES_METRICS_FILE = "series-metrics.json";

const Text = z.string().max(10_000);
const Measured = z.array(z.number().nullable()).max(10_000);

/** One entry for each series with back-tests. Short arrays of numbers, because there may be 10,000 series. */
export const SeriesMetricsSchema = z
  .strictObject({
    version: z.literal(1),
    columns: z.array(Text).min(1).max(4),
    values: z.array(z.array(Text).min(1).max(4)).max(10_000),
    /** Sum of the actual values. */
    actual: Measured,
    mase: Measured,
    wape: Measured,
    bias: Measured,
  })
  .refine(
    ({ values, ...rest }) => MEASURES.every((name) => rest[name].length === values.length),
    "Use one number for each series",
  )
  .refine(
    ({ columns, values }) => values.every(({ length }) => length === columns.length),
    "Use one value for each column",
  );
export type SeriesMetricsFile = z.infer<typeof SeriesMetricsSchema>;

export const MEASURES = ["actual", "mase", "wape", "bias"] as const;
