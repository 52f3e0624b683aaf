import { z } from "zod";
import { Instant } from "./common.ts";
import { ChartQuery } from "./scenario-series.ts";
import { Values } from "./series-values.ts";

export const TargetSeriesQuery = ChartQuery.pick({ maxPoints: true });

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
      .describe("Row number of each point, starting at 1. Of many series, the number of its time."),
    values: Values.describe(
      "Value of the target at each point, for classes 0 and 1; of many series, their sum. `null` if it is missing.",
    ),
  })
  .meta({ id: "TargetSeries" });
export type TargetSeries = z.infer<typeof TargetSeries>;
