import { z } from "zod";
import { Instant } from "./common.ts";
import { Choice } from "./reading.ts";

/** Figures behind a warning about columns that models should not use. */
const Evidence = z
  .object({
    formula: z.string().optional().describe("Sum or difference of columns that equals the target."),
    matchingRows: z.number().int().optional().describe("Number of rows in which it equals the target."),
    comparedRows: z.number().int().optional().describe("Number of rows compared."),
    r2: z
      .number()
      .optional()
      .describe(
        "R² of predictions from one column, or of the model, on rows that were not used for fitting.",
      ),
    distinct: z.number().int().optional().describe("Number of different values."),
    lastTimestamp: Instant.optional().describe("Time of the last row with a value."),
  })
  .meta({
    id: "Evidence",
    description: "Figures behind a warning about columns that models should not use.",
  });

export const Warning = z
  .object({
    code: z.string().describe("Machine-readable code of the warning, such as `outside_range`."),
    message: z.string().describe("Human-readable message."),
    column: z.string().nullish().describe("Column of the CSV or of the prediction input."),
    rows: z.number().int().nullish().describe("Number of rows that the warning is about."),
    columns: z
      .array(z.string())
      .optional()
      .describe(
        "Columns to exclude or to confirm together. Present for warnings about columns that models should not use.",
      ),
    evidence: Evidence.optional(),
    nearest: z.string().optional().describe("Nearest existing name, for an unknown column."),
    firstRow: z
      .number()
      .int()
      .optional()
      .describe(
        "First row with a value outside the training data, starting at 1. Present for warnings about such values.",
      ),
    range: z
      .object({
        least: z.number().describe("Minimum value of the input."),
        greatest: z.number().describe("Maximum value of the input."),
        trainedMin: z.number().describe("Minimum value of the training rows."),
        trainedMax: z.number().describe("Maximum value of the training rows."),
      })
      .optional()
      .describe(
        "Value ranges of the input and of the training rows. Present for `outside_range`, except of dates.",
      ),
    choices: z.array(Choice).optional().describe("Ways to read the file that treat the finding."),
  })
  .meta({ id: "Warning" });
export type Warning = z.infer<typeof Warning>;
