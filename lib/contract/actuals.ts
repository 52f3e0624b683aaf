import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { levels, Values } from "./scenario-series.ts";

const metric = (description: string) => z.number().nullable().meta({ description });

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
    rows: z.number().int().meta({ description: "Number of rows whose actual value is known." }),
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
      .meta({ description: "Errors of the naive forecast of the same rows. For classes: of the base rate." }),
  })
  .meta({ id: "ForecastErrors" });
export type ForecastErrors = z.infer<typeof ForecastErrors>;

const baselineName = z
  .string()
  .nullable()
  .meta({ description: "Name of the naive forecast that training used, such as `seasonal naive, 7 steps`." });
const reason = z.string().nullable().meta({
  description: "Human-readable reason why nothing can be compared. `null` if there is something to compare.",
});

const points = {
  timestamps: z.array(Instant).meta({ description: "Time of each point." }),
  actual: Values.meta({ description: "Actual value at each point. `null` if it is not known." }),
  predicted: Values.meta({ description: "Prediction at each point." }),
  lower: Values.meta({ description: "Lower bounds of the 90% prediction intervals." }),
  upper: Values.meta({ description: "Upper bounds of the 90% prediction intervals." }),
  baseline: Values.meta({ description: "Naive forecast at each point." }),
};

export const ScenarioActuals = z
  .object({
    scenarioId: Id.meta({ description: "ID of the scenario." }),
    target: z.string().meta({ description: "Name of the predicted column." }),
    rowCount: z
      .number()
      .int()
      .meta({ description: "Number of rows of the scenario, with or without an actual value." }),
    knownUntil: Instant.nullable().meta({ description: "Time of the project's last actual value." }),
    learnedRows: z.number().int().meta({
      description:
        "Number of compared rows that the model was fitted on. Errors on these rows are smaller than those of a forecast.",
    }),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().meta({
      description: "Errors over all rows from `from` to `to`. `null` if no actual value is known.",
    }),
    ...points,
    levels,
  })
  .meta({ id: "ScenarioActuals" });
export type ScenarioActuals = z.infer<typeof ScenarioActuals>;

export const RecordPeriod = ForecastErrors.extend({
  from: Instant.meta({ description: "Start of the period, in the time zone of the data." }),
  to: Instant.meta({ description: "End of the period, exclusive." }),
}).meta({ id: "RecordPeriod" });
export type RecordPeriod = z.infer<typeof RecordPeriod>;

export const CheckpointRecord = z
  .object({
    checkpointId: Id.meta({ description: "ID of the checkpoint." }),
    target: z.string().meta({ description: "Name of the predicted column." }),
    madeUntil: Instant.nullable().meta({
      description: "Time of the last row in the model's training data.",
    }),
    knownUntil: Instant.nullable().meta({ description: "Time of the project's last actual value." }),
    horizon: z
      .number()
      .int()
      .nullable()
      .meta({ description: "Number of steps predicted from one origin to the next, as at training." }),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().meta({
      description: "Errors over all rows that arrived after the model's data ended.",
    }),
    validation: ForecastErrors.omit({ rows: true }).meta({
      description: "Errors on the validation rows, at training.",
    }),
    period: z
      .enum(["day", "week", "month"])
      .meta({ description: "Period by which `periods` groups the rows." }),
    timezone: z.string().meta({ description: "IANA time zone in which each period begins." }),
    periods: z
      .array(RecordPeriod)
      .meta({ description: "Errors by period, in order of time. Periods without rows are omitted." }),
    ...points,
  })
  .meta({ id: "CheckpointRecord" });
export type CheckpointRecord = z.infer<typeof CheckpointRecord>;

const BeforeAfter = <T extends z.ZodType>(of: T, description: string) =>
  z
    .object({
      before: of.meta({ description: "Value of the previous model." }),
      after: of.meta({ description: "Value of this model." }),
    })
    .meta({ description });

/** Changes from one model of a project to the next. */
export const ModelChanges = z
  .object({
    modelId: Id.meta({ description: "ID of the model." }),
    beforeId: Id.nullable().meta({
      description: "ID of the previous model. `null` for the project's first model.",
    }),
    modelName: BeforeAfter(z.string().nullable(), "Names of the models."),
    trainingRows: BeforeAfter(z.number().int().nullable(), "Number of rows that each model was trained on."),
    knownUntil: BeforeAfter(Instant.nullable(), "Time of the last row in each model's training data."),
    validation: BeforeAfter(
      z.record(z.string(), z.number().nullable()).nullable(),
      "Metrics of each model on its own validation rows.",
    ),
    sameRows: z
      .object({
        from: Instant.meta({ description: "Time of the first row." }),
        to: Instant.meta({ description: "Time of the last row." }),
        before: ForecastErrors,
        after: ForecastErrors,
      })
      .nullable()
      .meta({
        description:
          "Errors of both models on rows that neither model had seen when it predicted them. `null` if there are no such rows.",
      }),
    reason: z.string().nullable().meta({
      description: "Reason why the two models cannot be measured on the same rows. `null` if they can.",
    }),
    features: z
      .object({
        added: z.array(z.string()).meta({ description: "Features that only this model takes." }),
        removed: z.array(z.string()).meta({ description: "Features that only the previous model takes." }),
      })
      .meta({ description: "Differences in the input features." }),
    importance: z
      .array(
        z.object({
          feature: z.string().meta({ description: "Name of the input feature." }),
          before: z.number().nullable().meta({
            description:
              "Importance in the previous model, as a share. `null` if that model did not use the feature.",
          }),
          after: z.number().nullable().meta({
            description:
              "Importance in this model, as a share. `null` if this model does not use the feature.",
          }),
        }),
      )
      .meta({ description: "Changes in importance, largest change first." }),
    settings: z
      .array(
        z.object({
          name: z
            .string()
            .meta({ description: "Name of the training setting, with dots between its parts." }),
          before: z
            .unknown()
            .meta({ description: "Value requested for the previous model. `null` if none was requested." }),
          after: z
            .unknown()
            .meta({ description: "Value requested for this model. `null` if none was requested." }),
        }),
      )
      .meta({ description: "Training settings that differ." }),
  })
  .meta({ id: "ModelChanges" });
export type ModelChanges = z.infer<typeof ModelChanges>;
