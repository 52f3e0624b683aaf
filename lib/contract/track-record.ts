import { z } from "zod";
import { baselineName, ForecastErrors, points, RecordPeriod, reason } from "./actuals.ts";
import { Instant } from "./common.ts";
import { limits } from "./limits.ts";
import { ChartQuery } from "./scenario-series.ts";

export const TrackRecordQuery = ChartQuery.pick({ maxPoints: true }).extend({
  // Not `Id`, because a malformed ID returns the same response as an unknown one.
  scenarioId: z
    .string()
    .max(100)
    .optional()
    .describe("ID of a scenario: only its runs are compared. Defaults to all scenarios of the project."),
});

const error = (of: string) =>
  z
    .object({
      rmse: z.number().nullable().describe("Root mean squared error."),
      mae: z.number().nullable().describe("Mean absolute error."),
    })
    .describe(`Errors of ${of}.`);

/** Errors of the same rows with overrides, without them, and of the naive forecast. */
const OverrideErrors = z
  .object({
    rows: z.number().int().describe("Number of compared predictions that an override changed."),
    effective: error("the predictions with overrides"),
    calculated: error("the calculated predictions"),
    baseline: error("the naive forecast"),
  })
  .meta({ id: "OverrideErrors" });
export type OverrideErrors = z.infer<typeof OverrideErrors>;

/** Errors of a checkpoint and of the newest one, of the rows that both predicted from equally many steps before. */
const CheckpointErrors = z
  .object({
    label: z.string().describe("Label of the checkpoint. It may have been deleted since."),
    rows: z.number().int().describe("Number of compared predictions."),
    own: error("the checkpoint's calculated predictions"),
    newest: error("those of the newest checkpoint"),
  })
  .meta({ id: "CheckpointErrors" });
export type CheckpointErrors = z.infer<typeof CheckpointErrors>;

export const TrackRecord = z
  .object({
    target: z.string().nullable().describe("Name of the predicted column. `null` without a model."),
    knownUntil: Instant.nullable().describe("Time of the project's last actual value."),
    isTotal: z
      .boolean()
      .describe("Whether the values are totals of many series. Totals have no naive forecast."),
    runs: z.number().int().describe("Number of runs whose predictions were compared."),
    omittedRuns: z
      .number()
      .int()
      .describe(
        `Number of runs that were not read. The latest ${limits.trackedRuns} are, with at most ${limits.trackedRows.toLocaleString("en")} rows.`,
      ),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().describe(
      "Errors over all compared predictions. A time counts once for each run that predicted it.",
    ),
    horizons: z
      .array(
        ForecastErrors.extend({
          fromStep: z.number().int().describe("First number of steps after the last row that the run knew."),
          toStep: z.number().int().describe("Last number of these steps."),
        }).meta({ id: "HorizonErrors" }),
      )
      .describe("Errors by the number of steps that were predicted ahead, in ascending order."),
    period: z.enum(["day", "week", "month"]).describe("Period by which `periods` groups the rows."),
    timezone: z.string().describe("IANA time zone in which each period begins."),
    periods: z
      .array(RecordPeriod)
      .describe("Errors by period, in order of time. Periods without rows are omitted."),
    newestCheckpoint: z
      .string()
      .nullable()
      .describe(
        "Label of the checkpoint of the last compared run, the one that knew most rows. `null` without any.",
      ),
    checkpoints: z
      .array(CheckpointErrors)
      .describe(
        `Errors of earlier checkpoints beside those of the newest one, most rows first. At most ${limits.trackedGroups}. A checkpoint that predicted no time from as many steps before as the newest one is omitted.`,
      ),
    overrides: OverrideErrors.extend({
      periods: z
        .array(
          OverrideErrors.extend({
            from: Instant.describe("Start of the period."),
            to: Instant.describe("End of the period, exclusive."),
          }),
        )
        .describe("Errors by period, in order of time."),
      authors: z
        .array(OverrideErrors.extend({ author: z.string().describe("User identifier of the author.") }))
        .describe(`Errors by author, most rows first. At most ${limits.trackedGroups}.`),
      reasons: z
        .array(OverrideErrors.extend({ reason: z.string().describe("Reason for the override.") }))
        .describe(`Errors by reason, most rows first. At most ${limits.trackedGroups}.`),
    })
      .meta({ id: "OverrideRecord" })
      .nullable()
      .describe(
        "Errors of the predictions that overrides changed before the actual value arrived. A row counts for the last override that applies to it. `null` without any.",
      ),
    ...points,
  })
  .meta({
    id: "TrackRecord",
    description:
      "Accuracy of the predictions that a project's runs made before the actual values arrived. `timestamps` and the columns beside it are the last prediction of each time.",
  });
export type TrackRecord = z.infer<typeof TrackRecord>;
