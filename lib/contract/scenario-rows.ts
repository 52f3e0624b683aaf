import { z } from "zod";
import { queryInteger } from "./common.ts";
import { ColumnTypeSchema } from "./datasets.ts";
import { LevelsQuery } from "./intervals.ts";
import { PredictionRow } from "./scenario-series.ts";

export const ScenarioRowsQuery = z.object({
  limit: queryInteger(1, 200)
    .optional()
    .meta({ description: "Maximum number of rows to return. Defaults to 50." }),
  offset: queryInteger(0, 1_000_000_000)
    .optional()
    .meta({ description: "Number of rows to skip. Defaults to 0." }),
  levels: LevelsQuery,
});

export const ScenarioRows = z
  .object({
    rowCount: z.number().int().meta({ description: "Total number of rows." }),
    columns: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name of the input feature." }),
          type: ColumnTypeSchema.meta({ description: "Type of the values." }),
          computed: z.boolean().meta({ description: "Whether an upstream checkpoint predicted the values." }),
        }),
      )
      .meta({ description: "Columns of the input, in the model's order." }),
    rows: z
      .array(
        PredictionRow.extend({
          input: z.array(z.union([z.number(), z.string(), z.boolean(), z.null()])).meta({
            description:
              "Input values, in the order of `columns`. Times are in ISO 8601. `null` means missing.",
          }),
        }),
      )
      .meta({ description: "Rows, in the order of the input." }),
  })
  .meta({ id: "ScenarioRows", description: "Input and predictions, row by row." });
export type ScenarioRows = z.infer<typeof ScenarioRows>;
