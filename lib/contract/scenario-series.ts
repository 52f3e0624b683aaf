import { z } from "zod";
import { DateOrInstant, Id, Instant, ListQuery, queryInteger } from "./common.ts";
import { limits } from "./limits.ts";
import { ContributionMethod } from "./predictions.ts";
import { Summary } from "./scenarios.ts";

/** An end of a stretch of a series: a time, or a row number where the series has no times. */
const boundFault = "Write a time such as 2026-02-14T06:00:00Z, or the number of a row";
const SeriesBound = z
  .union([DateOrInstant, z.string().regex(/^\d{1,9}$/, boundFault)], { error: boundFault })
  .optional();
const from = SeriesBound.meta({ description: "First time, or first row (from 1) where there are no times" });
const to = SeriesBound.meta({ description: "Last time, or last row where there are no times; included" });

const maxPoints = queryInteger(2, 20_000)
  .optional()
  .meta({ description: "For a chart: so many points at most, the extremes among them" });

/** `?limit=&cursor=` for rows; `?maxPoints=` (with from, to) for a chart. */
export const PredictionsQuery = z.object({
  limit: queryInteger(1, 10_000).optional().meta({ description: "How many rows at most" }),
  cursor: ListQuery.shape.cursor,
  maxPoints,
  from,
  to,
});

/** A chart alone: `?maxPoints=&from=&to=`. */
export const ChartQuery = PredictionsQuery.pick({ maxPoints: true, from: true, to: true });

export const PredictionRow = z
  .object({
    row: z.number().int().meta({ description: "From 1" }),
    timestamp: Instant.nullable().meta({ description: "Its time; null for rows without" }),
    prediction: z.number().nullable().meta({ description: "What the model says" }),
    lower: z.number().nullable().meta({ description: "Lower end of the 90 % interval" }),
    upper: z.number().nullable().meta({ description: "Upper end of the 90 % interval" }),
  })
  .meta({ id: "PredictionRow" });
export type PredictionRow = z.infer<typeof PredictionRow>;

export const Values = z.array(z.number().nullable());

/** What `?maxPoints=` answers: at most so many points, the extremes among them. */
export const PredictionChart = z
  .object({
    rowCount: z.number().int().meta({ description: "Of the whole series" }),
    timestamps: z.array(Instant).optional().meta({ description: "Time of each point" }),
    rows: z
      .array(z.number().int())
      .optional()
      .meta({ description: "Row of each point, where the series has no times" }),
    values: Values.meta({ description: "Prediction of each point" }),
    lower: Values.meta({ description: "Lower ends of the 90 % intervals" }),
    upper: Values.meta({ description: "Upper ends of the 90 % intervals" }),
  })
  .meta({ id: "PredictionChart" });
export type PredictionChart = z.infer<typeof PredictionChart>;

/** Several in one parameter, with commas between them. */
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
            .regex(/^\d{1,9}$/, "Write the number of a row")
            .transform(Number),
        )
        .min(1)
        .max(100),
    )
    .meta({ description: "Row numbers from 1, with commas between them; at most 100" }),
});

export const Contributions = z
  .object({
    rows: z.array(z.number().int()).meta({ description: "As asked for" }),
    method: ContributionMethod,
    baseValue: z.number().meta({ description: "What the model says of nothing in particular" }),
    features: z.array(z.string()).meta({ description: "Names of the input features" }),
    values: z
      .array(z.array(z.number()))
      .meta({ description: "For each row what each feature adds, in the order of `features`" }),
    predictions: z
      .array(z.number())
      .meta({ description: "For each row `baseValue` and its values added up" }),
  })
  .meta({ id: "Contributions" });
export type Contributions = z.infer<typeof Contributions>;

export const CompareQuery = z.object({
  ids: list
    .pipe(z.array(z.string()).min(limits.compareMin).max(limits.compareMax))
    .meta({ description: "Scenarios, 2 to 20, with commas between them" }),
  baselineId: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "The one of them that the others are compared with; the first without it" }),
  maxPoints,
  from,
  to,
  limit: queryInteger(1, 1_000)
    .optional()
    .meta({ description: "For a table: so many points one after the other, instead of points to draw" }),
  offset: queryInteger(0, 1_000_000_000)
    .optional()
    .meta({ description: "With `limit`: how many points to leave out before them; none without it" }),
});

const Differing = z.object({
  projectId: Id.nullable().meta({ description: "The dependent project; null for the project's own" }),
  checkpointId: Id.meta({ description: "The checkpoint" }),
  label: z.string().meta({ description: "Its label" }),
  scenarioIds: z.array(Id).meta({ description: "Scenarios that use it" }),
});

export const Comparison = z
  .object({
    baselineId: Id.meta({ description: "The scenario that the others are compared with" }),
    scenarios: z
      .array(
        z.object({
          id: Id.meta({ description: "Scenario identifier" }),
          title: z.string().meta({ description: "Scenario name" }),
          color: z.string().meta({ description: "Hex colour for display" }),
          checkpointId: Id.nullable().meta({ description: "The checkpoint that it uses" }),
          checkpointLabel: z.string().nullable().meta({ description: "Label of that checkpoint" }),
          rowCount: z.number().int().meta({ description: "Rows in all" }),
          summary: Summary,
        }),
      )
      .meta({ description: "In the order in which they were named" }),
    timestamps: z.array(Instant).optional().meta({ description: "Time of each point" }),
    rows: z
      .array(z.number().int())
      .optional()
      .meta({ description: "Row of each point, where one of them has no times" }),
    pointCount: z.number().int().meta({ description: "Points between `from` and `to`, sent or not" }),
    series: z
      .array(
        z.object({
          scenarioId: Id.meta({ description: "Whose predictions these are" }),
          values: Values.meta({ description: "Prediction at each point; null where it has none" }),
          lower: Values.meta({ description: "Lower ends of the 90 % intervals" }),
          upper: Values.meta({ description: "Upper ends of the 90 % intervals" }),
          differences: Values.meta({ description: "From the baseline; null where either has no value" }),
          cumulative: Values.meta({
            description: "Sum of the differences from the first point on, those not sent among them",
          }),
          totalDifference: z.number().nullable().meta({ description: "Sum of the differences" }),
          percentDifference: z
            .number()
            .nullable()
            .meta({ description: "That sum in per cent of the baseline's" }),
        }),
      )
      .meta({ description: "One for each scenario, in the same order" }),
    actual: Values.nullable().meta({
      description: "What was at each point, null where it is not known yet; null where none of it is",
    }),
    differs: z
      .object({
        inputs: z
          .array(
            z.object({
              feature: z.string().meta({ description: "Input feature" }),
              scenarioIds: z
                .array(Id)
                .meta({ description: "Scenarios in which it is not as in the baseline" }),
              changedRows: z.number().int().meta({ description: "Rows in which it is not" }),
            }),
          )
          .meta({ description: "Features whose values differ" }),
        checkpoints: z
          .array(Differing)
          .meta({ description: "Empty where all scenarios use the same checkpoint" }),
        dependentCheckpoints: z
          .array(Differing)
          .meta({ description: "Empty where all use the same ones of every dependent project" }),
      })
      .meta({ description: "What differs between them" }),
  })
  .meta({ id: "Comparison" });
export type Comparison = z.infer<typeof Comparison>;
