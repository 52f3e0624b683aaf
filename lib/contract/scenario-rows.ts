import { z } from "zod";
import { queryInteger } from "./common.ts";
import { ColumnTypeSchema } from "./datasets.ts";
import { LevelsQuery } from "./intervals.ts";
import { runQuery } from "./scenario-runs.ts";
import { PredictionRow } from "./scenario-series.ts";
import { seriesQuery } from "./series-query.ts";

export const ScenarioRowsQuery = z.object({
  limit: queryInteger(1, 200).optional().describe("Maximum number of rows to return. Defaults to 50."),
  offset: queryInteger(0, 1_000_000_000).optional().describe("Number of rows to skip. Defaults to 0."),
  levels: LevelsQuery,
  ...runQuery,
  series: seriesQuery.series,
  where: seriesQuery.where,
});

export const ScenarioRows = z
  .object({
    rowCount: z.number().int().describe("Total number of rows."),
    columns: z
      .array(
        z.object({
          name: z.string().describe("Name of the input feature."),
          type: ColumnTypeSchema.describe("Type of the values."),
          computed: z.boolean().describe("Whether an upstream checkpoint predicted the values."),
        }),
      )
      .describe("Columns of the input, in the model's order."),
    rows: z
      .array(
        PredictionRow.extend({
          input: z
            .array(z.union([z.number(), z.string(), z.boolean(), z.null()]))
            .describe(
              "Input values, in the order of `columns`. Times are in ISO 8601. `null` means missing.",
            ),
        }),
      )
      .describe("Rows, in the order of the input."),
  })
  .meta({ id: "ScenarioRows", description: "Input and predictions, row by row." });
export type ScenarioRows = z.infer<typeof ScenarioRows>;
