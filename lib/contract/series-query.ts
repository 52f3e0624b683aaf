import { z } from "zod";
import { optional, repeatable } from "./common.ts";
import { limits } from "./limits.ts";

/** Query parameters that choose among many series: `?series=<id>&where=store:A&by=region`. */
export const seriesQuery = {
  series: repeatable(z.string().max(100))
    .optional()
    .describe("IDs of the series to include. Defaults to all. Only for scenarios with many series."),
  where: repeatable(z.string().min(1).max(2_000))
    .optional()
    .describe(
      "Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other.",
    ),
  by: repeatable(z.string().min(1).max(1_000))
    .optional()
    .describe(
      "Series or level columns by which to group. Adds `groups` to a chart or a comparison; `limit` and `cursor` page through them.",
    ),
};

/** Ways to combine series. */
export const combinations = ["sum", "mean"] as const;
export type Combination = (typeof combinations)[number];

/** Query parameters that combine the chosen series: `?combine=mean&weight=customers`. */
export const combineQuery = {
  combine: z
    .enum(combinations)
    .optional()
    .describe(
      "How the chosen series, and those of each group, are combined at each time. Defaults to `sum`. Lists and downloads of rows stay as they are. Only for scenarios with many series.",
    ),
  weight: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      "Numeric input column by which `combine=mean` weighs series. Rows without a weight above zero do not count. Defaults to equal weights.",
    ),
};

/** The same choice in the body of a what-if, which predicts few series. */
export const seriesChoice = {
  series: optional(z.array(z.string().max(100)).max(limits.whatIfSeries)).describe(
    "IDs of the series to include, at most 200. Defaults to all. Only for scenarios with many series.",
  ),
  where: optional(z.array(z.string().min(1).max(2_000)).max(limits.whatIfSeries)).describe(
    "Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other.",
  ),
};
