import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { limits } from "./limits.ts";
import { levels, Values } from "./series-values.ts";

const metric = (description: string) => z.number().nullable().describe(description);

/** Present for predictions of classes. */
const classFields = {
  logLoss: metric("Mean negative logarithm of the probability of the actual class.").optional(),
  brier: metric("Mean squared difference between the probability and the class as 0 or 1.").optional(),
  auc: metric("Area under the ROC curve. `null` if only one class occurs.").optional(),
  accuracy: metric(
    "Share of rows whose predicted class, at the threshold 0.5, is the actual one.",
  ).optional(),
};
export type ClassFigures = Record<keyof typeof classFields, number | null>;

/** Errors of the predictions whose actual value is known, with those of a naive forecast of the same rows. */
export const ForecastErrors = z
  .object({
    rows: z.number().int().describe("Number of rows whose actual value is known."),
    rmse: metric("Root mean squared error, in the target's unit."),
    mae: metric("Mean absolute error, in the target's unit."),
    bias: metric("Mean of predicted minus actual values. Positive if predictions are too high."),
    coverage: metric(
      "Share of the actual values inside the 90% prediction interval. `null` if the model has no intervals.",
    ),
    ...classFields,
    baseline: z
      .object({
        rmse: metric("Root mean squared error of the naive forecast."),
        mae: metric("Mean absolute error of the naive forecast."),
        ...classFields,
      })
      .describe("Errors of the naive forecast of the same rows. For classes: of the base rate."),
  })
  .meta({ id: "ForecastErrors" });
export type ForecastErrors = z.infer<typeof ForecastErrors>;

export const baselineName = z
  .string()
  .nullable()
  .describe("Name of the naive forecast that training used, such as `seasonal naive, 7 steps`.");
export const reason = z
  .string()
  .nullable()
  .describe("Human-readable reason why nothing can be compared. `null` if there is something to compare.");

export const points = {
  timestamps: z.array(Instant).describe("Time of each point."),
  actual: Values.describe("Actual value at each point. `null` if it is not known."),
  predicted: Values.describe("Prediction at each point."),
  lower: Values.describe("Lower bounds of the 90% prediction intervals."),
  upper: Values.describe("Upper bounds of the 90% prediction intervals."),
  baseline: Values.describe("Naive forecast at each point."),
};

export const ScenarioActuals = z
  .object({
    scenarioId: Id.describe("ID of the scenario."),
    target: z.string().describe("Name of the predicted column."),
    rowCount: z.number().int().describe("Number of rows of the scenario, with or without an actual value."),
    knownUntil: Instant.nullable().describe("Time of the project's last actual value."),
    learnedRows: z
      .number()
      .int()
      .describe(
        "Number of compared rows that the model was fitted on. Errors on these rows are smaller than those of a forecast.",
      ),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().describe(
      "Errors over all rows from `from` to `to`. `null` if no actual value is known.",
    ),
    ...points,
    levels,
    groups: z
      .array(
        z.object({
          values: z
            .record(z.string(), z.string())
            .describe("Value of each column in `by`. An empty text is a missing value."),
          seriesCount: z.number().int().describe("Number of series in the group."),
          errors: ForecastErrors.nullable().describe(
            "Errors of the group's sums. `null` if no actual value of them is known.",
          ),
        }),
      )
      .optional()
      .describe(
        "Groups of series, in descending order of absolute predicted total. Present if requested by `by`.",
      ),
  })
  .meta({ id: "ScenarioActuals" });
export type ScenarioActuals = z.infer<typeof ScenarioActuals>;

export const RecordPeriod = ForecastErrors.extend({
  from: Instant.describe("Start of the period, in the time zone of the data."),
  to: Instant.describe("End of the period, exclusive."),
}).meta({ id: "RecordPeriod" });
export type RecordPeriod = z.infer<typeof RecordPeriod>;

const sampledSeries = z
  .object({
    measured: z
      .number()
      .int()
      .describe(`Number of series whose rows are compared: at most ${limits.judgedSeries}, spread evenly.`),
    count: z.number().int().describe("Number of series with such rows."),
  })
  .optional();

export const CheckpointRecord = z
  .object({
    checkpointId: Id.describe("ID of the checkpoint."),
    target: z.string().describe("Name of the predicted column."),
    madeUntil: Instant.nullable().describe("Time of the last row in the model's training data."),
    knownUntil: Instant.nullable().describe("Time of the project's last actual value."),
    horizon: z
      .number()
      .int()
      .nullable()
      .describe("Number of steps predicted from one origin to the next, as at training."),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().describe(
      "Errors over all rows that arrived after the model's data ended. Of many series, each row is of a single series.",
    ),
    series: sampledSeries.describe(
      "Series whose rows that arrived are compared. The points of the chart are their sums. Present for many series.",
    ),
    validation: ForecastErrors.omit({ rows: true }).describe("Errors on the validation rows, at training."),
    period: z.enum(["day", "week", "month"]).describe("Period by which `periods` groups the rows."),
    timezone: z.string().describe("IANA time zone in which each period begins."),
    periods: z
      .array(RecordPeriod)
      .describe("Errors by period, in order of time. Periods without rows are omitted."),
    ...points,
  })
  .meta({ id: "CheckpointRecord" });
export type CheckpointRecord = z.infer<typeof CheckpointRecord>;

const BeforeAfter = <T extends z.ZodType>(of: T, description: string) =>
  z
    .object({
      before: of.describe("Value of the previous model."),
      after: of.describe("Value of this model."),
    })
    .describe(description);

/** Changes from one model of a project to the next. */
export const ModelChanges = z
  .object({
    modelId: Id.describe("ID of the model."),
    beforeId: Id.nullable().describe("ID of the previous model. `null` for the project's first model."),
    modelName: BeforeAfter(z.string().nullable(), "Names of the models."),
    trainingRows: BeforeAfter(z.number().int().nullable(), "Number of rows that each model was trained on."),
    knownUntil: BeforeAfter(Instant.nullable(), "Time of the last row in each model's training data."),
    validation: BeforeAfter(
      z.record(z.string(), z.number().nullable()).nullable(),
      "Metrics of each model on its own validation rows.",
    ),
    sameRows: z
      .object({
        from: Instant.describe("Time of the first row."),
        to: Instant.describe("Time of the last row."),
        before: ForecastErrors,
        after: ForecastErrors,
        series: sampledSeries.describe(
          "Series whose rows are compared, and those with predictions by both models. Present for many series.",
        ),
      })
      .nullable()
      .describe(
        "Errors of both models on rows that neither model had seen when it predicted them. `null` if there are no such rows.",
      ),
    reason: z
      .string()
      .nullable()
      .describe("Reason why the two models cannot be measured on the same rows. `null` if they can."),
    features: z
      .object({
        added: z.array(z.string()).describe("Features that only this model takes."),
        removed: z.array(z.string()).describe("Features that only the previous model takes."),
      })
      .describe("Differences in the input features."),
    importance: z
      .array(
        z.object({
          feature: z.string().describe("Name of the input feature."),
          before: z
            .number()
            .nullable()
            .describe(
              "Importance in the previous model, as a share. `null` if that model did not use the feature.",
            ),
          after: z
            .number()
            .nullable()
            .describe("Importance in this model, as a share. `null` if this model does not use the feature."),
        }),
      )
      .describe("Changes in importance, largest change first."),
    settings: z
      .array(
        z.object({
          name: z.string().describe("Name of the training setting, with dots between its parts."),
          before: z
            .unknown()
            .describe("Value requested for the previous model. `null` if none was requested."),
          after: z.unknown().describe("Value requested for this model. `null` if none was requested."),
        }),
      )
      .describe("Training settings that differ."),
  })
  .meta({ id: "ModelChanges" });
export type ModelChanges = z.infer<typeof ModelChanges>;
