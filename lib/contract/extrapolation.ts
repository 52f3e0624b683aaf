import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { limits } from "./limits.ts";
import { runsQuery } from "./scenario-runs.ts";
import { list } from "./scenario-series.ts";
import { Warning } from "./warnings.ts";

const feature = z.string().describe("Name of the input feature.");
const instant = (description: string) => Instant.nullable().describe(description);

export const Extrapolation = z
  .object({
    rowCount: z.number().int().describe("Total number of rows."),
    features: z
      .array(
        z.object({
          feature,
          rows: z.number().int().describe("Number of rows outside the training data."),
          firstRow: z.number().int().describe("First row outside the training data, starting at 1."),
          firstTimestamp: instant(
            "Time of the first row outside the training data. `null` if the rows have no times.",
          ),
          range: Warning.shape.range
            .unwrap()
            .nullable()
            .describe(
              "For numbers: value ranges of the input and of the training rows. `null` for other types.",
            ),
          unseen: z
            .array(z.string())
            .nullable()
            .describe(
              "For categories: values that do not occur in the training rows, at most 100. `null` for other types.",
            ),
        }),
      )
      .describe("Features with at least one row outside the training data."),
    spans: z
      .array(
        z.object({
          firstRow: z.number().int().describe("First row of the span, starting at 1."),
          lastRow: z.number().int().describe("Last row of the span, inclusive."),
          from: instant("Time of the first row. `null` if the rows have no times."),
          to: instant("Time of the last row. `null` if the rows have no times."),
          features: z.array(z.string()).describe("Features that are outside the training data in this span."),
        }),
      )
      .describe(
        "Spans of rows in which at least one feature is outside the training data, in order of time. At most 200: spans with the smallest gaps between them are joined.",
      ),
  })
  .meta({ id: "Extrapolation", description: "Rows in which a model extrapolates beyond its training data." });
export type Extrapolation = z.infer<typeof Extrapolation>;

export const ExtrapolationsQuery = z.object({
  ids: list
    .pipe(z.array(z.string()).min(1).max(limits.compareMax))
    .describe("IDs of the scenarios, separated by commas. At most 20."),
  ...runsQuery,
});

export const Extrapolations = z
  .object({
    scenarios: z
      .array(Extrapolation.extend({ scenarioId: Id.describe("ID of the scenario.") }))
      .describe("Extrapolation of each scenario, in the order of `ids`."),
  })
  .meta({ id: "Extrapolations", description: "Extrapolation of several scenarios." });
export type Extrapolations = z.infer<typeof Extrapolations>;
