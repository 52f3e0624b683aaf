import { z } from "zod";
import { Buckets, bucketQuery, RowCounts } from "./buckets.ts";
import { DateOrInstant, Id, Instant, ListQuery, queryInteger } from "./common.ts";
import { contributionFields } from "./contributions.ts";
import { differenceFields, Interval, LevelsQuery } from "./intervals.ts";
import { limits } from "./limits.ts";
import { ComparedId, runQuery, runsQuery } from "./scenario-runs.ts";
import { Summary } from "./scenarios.ts";
import { ChartGroups, ComparedGroups } from "./series-groups.ts";
import { combineQuery, seriesQuery } from "./series-query.ts";
import { levels, Values } from "./series-values.ts";

/** Bound of a span of a series: a time, or a row number if the series has no times. */
const boundIssue = "Use a time such as 2026-02-14T06:00:00Z, or a row number";
const SeriesBound = z
  .union([DateOrInstant, z.string().regex(/^\d{1,9}$/, boundIssue)], { error: boundIssue })
  .optional();
const from = SeriesBound.describe(
  "First time to include. A row number, starting at 1, if the series has no times.",
);
const to = SeriesBound.describe("Last time to include. A row number if the series has no times.");

const maxPoints = queryInteger(2, 20_000)
  .optional()
  .describe("Maximum number of points of a chart. Downsampling keeps the extremes.");

/** Query of predictions: `?limit=&cursor=` for rows, `?maxPoints=` (with `from`, `to`) for a chart. */
export const PredictionsQuery = z.object({
  limit: queryInteger(1, 10_000)
    .optional()
    .describe("Maximum number of rows to return. With `by`: of groups, at most 1,000."),
  cursor: ListQuery.shape.cursor,
  maxPoints,
  from,
  to,
  levels: LevelsQuery,
  ...bucketQuery,
  ...seriesQuery,
  ...combineQuery,
  ...runQuery,
});

/** Query of a chart: `?maxPoints=&from=&to=`. */
export const ChartQuery = PredictionsQuery.pick({ maxPoints: true, from: true, to: true });

/** Query of a chart with actuals: `&levels=&series=&where=&by=`. */
export const ScenarioActualsQuery = ChartQuery.extend({
  levels: LevelsQuery,
  ...seriesQuery,
  limit: queryInteger(1, 200)
    .optional()
    .describe("With `by`: maximum number of groups to return, at most 200. Defaults to 50."),
  cursor: ListQuery.shape.cursor,
  ...runQuery,
});

export const PredictionRow = z
  .object({
    row: z.number().int().describe("Row number, starting at 1."),
    timestamp: Instant.nullable().describe("Time of the row. `null` if the row has no time."),
    prediction: z.number().nullable().describe("Predicted value."),
    lower: z.number().nullable().describe("Lower bound of the 90% prediction interval."),
    upper: z.number().nullable().describe("Upper bound of the 90% prediction interval."),
    levels: z.array(Interval).optional().describe("Prediction intervals at the requested `levels`."),
    calculated: z
      .number()
      .nullable()
      .optional()
      .describe("Prediction without overrides. Present if the scenario has overrides."),
    overrideId: Id.nullable()
      .optional()
      .describe(
        "ID of the last override of the row. `null` without one. Present if the scenario has overrides.",
      ),
  })
  .catchall(z.unknown().describe("Value of a series column, of a scenario with many series."))
  .meta({ id: "PredictionRow" });
export type PredictionRow = z.infer<typeof PredictionRow>;

/** Returns the fields with the place of each point. @param series what may have no times, for the description */
export const pointPlaces = (series: string) => ({
  timestamps: z.array(Instant).optional().describe("Time of each point."),
  rows: z
    .array(z.number().int())
    .optional()
    .describe(`Row number of each point. Present if ${series} has no times.`),
});

/** Response to `?maxPoints=`: at most that many points, including the extremes. */
export const PredictionChart = z
  .object({
    rowCount: z.number().int().describe("Number of rows of the whole series."),
    ...pointPlaces("the series"),
    values: Values.describe("Prediction at each point."),
    calculated: Values.optional().describe(
      "Prediction without overrides at each point. Present if the scenario has overrides.",
    ),
    lower: Values.describe("Lower bounds of the 90% prediction intervals."),
    upper: Values.describe("Upper bounds of the 90% prediction intervals."),
    levels,
    buckets: Buckets.optional(),
    rowCounts: RowCounts,
    pointCount: z
      .number()
      .int()
      .optional()
      .describe("Number of buckets from `from` to `to`, whether returned or not."),
    actual: Values.nullable()
      .optional()
      .describe(
        "Aggregate of the actual values at each point, `null` unless every row has one. Present if the points are buckets.",
      ),
    groups: ChartGroups.optional(),
  })
  .meta({ id: "PredictionChart" });
export type PredictionChart = z.infer<typeof PredictionChart>;

/** List in one parameter, separated by commas. */
export const list = z
  .string()
  .max(5_000)
  .transform((text) => text.split(",").map((item) => item.trim()))
  .pipe(z.array(z.string()));

export const ContributionsQuery = z.object({
  rows: list
    .pipe(
      z
        .array(
          z
            .string()
            .regex(/^\d{1,9}$/, "Use a row number")
            .transform(Number),
        )
        .min(1)
        .max(100),
    )
    .describe("Row numbers, starting at 1 and separated by commas. At most 100."),
  ...runQuery,
});

export const Contributions = z
  .object({
    rows: z.array(z.number().int()).describe("Row numbers, as requested."),
    ...contributionFields,
    predictions: z
      .array(z.number())
      .describe("Prediction of each row: `baseValue` plus the row's contributions, on the `scale`."),
  })
  .meta({ id: "Contributions" });
export type Contributions = z.infer<typeof Contributions>;

export const CompareQuery = z.object({
  ids: list
    .pipe(z.array(z.string()).min(limits.compareMin).max(limits.compareMax))
    .describe(
      "2 to 20 scenarios, separated by commas: the ID of a scenario, or `<scenario ID>@<run ID>` for one of its runs. Several runs of a scenario can be compared.",
    ),
  baselineId: z
    .string()
    .max(100)
    .optional()
    .describe("Baseline scenario, one of `ids` as written there. Defaults to the first."),
  maxPoints,
  from,
  to,
  levels: LevelsQuery,
  ...bucketQuery,
  limit: queryInteger(1, 1_000)
    .optional()
    .describe(
      "Number of consecutive points per page, for a table. Replaces downsampling. With `by`: maximum number of groups.",
    ),
  offset: queryInteger(0, 1_000_000_000)
    .optional()
    .describe("Number of points to skip, with `limit`. Defaults to 0. Has no effect with `by`."),
  cursor: ListQuery.shape.cursor.describe(
    "Cursor of the next page of groups, from the `Link` header of the previous page.",
  ),
  ...seriesQuery,
  ...combineQuery,
  ...runsQuery,
});

const Differing = z.object({
  projectId: Id.nullable().describe("ID of the upstream project. `null` for the project's own checkpoint."),
  checkpointId: Id.describe("ID of the checkpoint."),
  label: z.string().describe("Label of the checkpoint."),
  scenarioIds: z.array(ComparedId).describe("Scenarios that use the checkpoint, as in `scenarios`."),
});

export const Comparison = z
  .object({
    baselineId: ComparedId.describe("ID of the baseline scenario, as in `scenarios`."),
    scenarios: z
      .array(
        z.object({
          id: ComparedId,
          runId: Id.describe("ID of the compared run."),
          title: z.string().describe("Title of the scenario."),
          color: z.string().describe("Hex colour for display."),
          checkpointId: Id.nullable().describe("ID of the scenario's checkpoint."),
          checkpointLabel: z.string().nullable().describe("Label of that checkpoint."),
          rowCount: z.number().int().describe("Total number of rows."),
          summary: Summary,
          completedAt: Instant.optional().describe(
            "Time of completion of the run. Present if `ids` names a run.",
          ),
        }),
      )
      .describe("Compared scenarios, in the order of `ids`."),
    ...pointPlaces("one of the scenarios"),
    buckets: Buckets.optional(),
    pointCount: z.number().int().describe("Number of points from `from` to `to`, whether returned or not."),
    commonSpan: z
      .object({
        from: z.string().describe("First time, or row number."),
        to: z.string().describe("Last time, or row number."),
      })
      .nullable()
      .optional()
      .describe(
        "Span from `from` to `to` that all scenarios cover which share rows with the baseline. As `from` and `to`, it makes sums and means comparable. `null` if there is no such span.",
      ),
    series: z
      .array(
        z.object({
          scenarioId: ComparedId.describe("ID of the scenario, as in `scenarios`."),
          values: Values.describe("Prediction at each point. `null` if the scenario has no value."),
          lower: Values.describe("Lower bounds of the 90% prediction intervals."),
          upper: Values.describe("Upper bounds of the 90% prediction intervals."),
          levels,
          differences: Values.describe(
            "Difference from the baseline at each point. `null` if the scenario or the baseline has no value. Of a bucket: the aggregate of the differences at the rows that both have.",
          ),
          cumulative: Values.describe(
            "Cumulative difference from the baseline since the first point. Includes points that are not returned.",
          ),
          rowCounts: RowCounts,
          rowCount: z
            .number()
            .int()
            .optional()
            .describe("Number of the scenario's rows from `from` to `to`."),
          valueCount: z
            .number()
            .int()
            .optional()
            .describe("Number of these rows that have a prediction. The summary covers them."),
          summary: Summary.optional().describe("Summary of the scenario's predictions from `from` to `to`."),
          totalDifference: z.number().nullable().describe("Sum of the differences."),
          ...differenceFields,
          percentDifference: z
            .number()
            .nullable()
            .describe("Sum of the differences, in percent of the baseline's sum."),
        }),
      )
      .describe("Series of each scenario, in the order of `scenarios`."),
    actual: Values.nullable().describe(
      "Actual value at each point, `null` if it is not known yet. The field is `null` if no actual value is known.",
    ),
    differs: z
      .object({
        inputs: z
          .array(
            z.object({
              feature: z.string().describe("Name of the input feature."),
              scenarioIds: z
                .array(ComparedId)
                .describe("Scenarios whose values differ from the baseline, as in `scenarios`."),
              changedRows: z.number().int().describe("Number of rows with different values."),
              amounts: z
                .array(
                  z.object({
                    scenarioId: ComparedId.describe("ID of the scenario, as in `scenarios`."),
                    rows: z.number().int().describe("Number of rows whose number differs from the baseline."),
                    mean: z.number().describe("Mean difference from the baseline in these rows."),
                    min: z.number().describe("Smallest difference."),
                    max: z.number().describe("Largest difference."),
                  }),
                )
                .optional()
                .describe("Differences from the baseline by scenario. Absent for inputs without numbers."),
            }),
          )
          .describe("Input features whose values differ."),
        checkpoints: z
          .array(Differing)
          .describe("Checkpoints in use. Empty if all scenarios use the same checkpoint."),
        dependentCheckpoints: z
          .array(Differing)
          .describe("Upstream checkpoints in use. Empty if all scenarios use the same upstream checkpoints."),
      })
      .describe("Differences between the scenarios in inputs, checkpoints and upstream checkpoints."),
    groups: ComparedGroups.optional(),
  })
  .meta({ id: "Comparison" });
export type Comparison = z.infer<typeof Comparison>;
