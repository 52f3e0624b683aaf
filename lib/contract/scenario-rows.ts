import { z } from "zod";
import { queryInteger } from "./common.ts";
import { ColumnTypeSchema } from "./datasets.ts";
import { PredictionRow } from "./scenario-series.ts";

export const ScenarioRowsQuery = z.object({
  limit: queryInteger(1, 200).optional().meta({ description: "How many rows at most; 50 without it" }),
  offset: queryInteger(0, 1_000_000_000)
    .optional()
    .meta({ description: "How many rows to leave out before them; none without it" }),
});

export const ScenarioRows = z
  .object({
    rowCount: z.number().int().meta({ description: "Rows in all" }),
    columns: z
      .array(
        z.object({
          name: z.string().meta({ description: "Input feature" }),
          type: ColumnTypeSchema.meta({ description: "What its values are" }),
          computed: z.boolean().meta({ description: "Whether an upstream checkpoint predicted it" }),
        }),
      )
      .meta({ description: "The input, in the model's order" }),
    rows: z
      .array(
        PredictionRow.extend({
          input: z
            .array(z.union([z.number(), z.string(), z.boolean(), z.null()]))
            .meta({ description: "In the order of `columns`; times as ISO 8601; null: missing" }),
        }),
      )
      .meta({ description: "In the order of the input" }),
  })
  .meta({ id: "ScenarioRows", description: "Input and predictions, row by row" });
export type ScenarioRows = z.infer<typeof ScenarioRows>;
