import { z } from "zod";
import { Id, Instant } from "./common.ts";

const relativeChange = z
  .number()
  .nullable()
  .describe(
    "Mean absolute change divided by the mean absolute forecast of the former run: 0.05 is a forecast that moved by 5%. `null` without common times, or if the former forecast is 0.",
  );
const rows = z
  .number()
  .int()
  .describe("Number of times that both runs predict and the newer one did not know.");

export const Stability = z
  .object({
    scenarioId: Id.describe("ID of the scenario."),
    relativeChange: relativeChange.describe(
      "Mean absolute change from each run to the next, divided by the mean absolute forecast of the former run, over all pairs of runs. `null` if no pair has a change.",
    ),
    rows: rows.describe("Number of compared forecasts of all pairs of runs."),
    runs: z
      .array(
        z.object({
          runId: Id.describe("ID of the run."),
          formerRunId: Id.describe("ID of the run before it."),
          completedAt: Instant.describe("Time of completion of the run."),
          rows,
          meanAbsoluteChange: z
            .number()
            .nullable()
            .describe("Mean absolute change from the former run. `null` without common times."),
          relativeChange,
        }),
      )
      .describe("Each completed run that has a former one, newest first."),
  })
  .meta({ id: "Stability", description: "Change of the forecast of the same times from run to run." });
export type Stability = z.infer<typeof Stability>;
