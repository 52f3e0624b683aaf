import { z } from "zod";
import { Id, Instant } from "./common.ts";
import { Values } from "./scenario-series.ts";

const metric = (description: string) => z.number().nullable().meta({ description });

/** Errors of predictions where the actual value is known, beside those of a naive forecast of the same rows. */
export const ForecastErrors = z
  .object({
    rows: z.number().int().meta({ description: "Rows whose actual value is known" }),
    rmse: metric("Root mean squared error, in the target's unit"),
    mae: metric("Mean absolute error, in the target's unit"),
    bias: metric("Mean of predicted less actual: above 0 where too much is predicted"),
    coverage: metric("Part of the actual values inside the 90 % interval; null without intervals"),
    baseline: z
      .object({ rmse: metric("Its root mean squared error"), mae: metric("Its mean absolute error") })
      .meta({ description: "The naive forecast of the same rows" }),
  })
  .meta({ id: "ForecastErrors" });
export type ForecastErrors = z.infer<typeof ForecastErrors>;

const baselineName = z
  .string()
  .nullable()
  .meta({ description: "What the naive forecast repeats, as when the model was trained" });
const reason = z
  .string()
  .nullable()
  .meta({ description: "Why there is nothing to compare, for a person to read; null where there is" });

const points = {
  timestamps: z.array(Instant).meta({ description: "Time of each point" }),
  actual: Values.meta({ description: "What was; null where it is not known" }),
  predicted: Values.meta({ description: "What the model says" }),
  lower: Values.meta({ description: "Lower ends of the 90 % intervals" }),
  upper: Values.meta({ description: "Upper ends of the 90 % intervals" }),
  baseline: Values.meta({ description: "What the naive forecast says" }),
};

export const ScenarioActuals = z
  .object({
    scenarioId: Id.meta({ description: "The scenario" }),
    target: z.string().meta({ description: "What is predicted" }),
    rowCount: z.number().int().meta({ description: "Rows of the scenario, of which some may be known" }),
    knownUntil: Instant.nullable().meta({ description: "Time of the last actual value of the project" }),
    learnedRows: z.number().int().meta({
      description:
        "Compared rows that the model was fitted on. Its errors on them are smaller than those of a forecast",
    }),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().meta({
      description: "Over all rows from `from` to `to`; null where none is known",
    }),
    ...points,
  })
  .meta({ id: "ScenarioActuals" });
export type ScenarioActuals = z.infer<typeof ScenarioActuals>;

export const RecordPeriod = ForecastErrors.extend({
  from: Instant.meta({ description: "Begin of the period, in the zone of the data" }),
  to: Instant.meta({ description: "Its end, not included" }),
}).meta({ id: "RecordPeriod" });
export type RecordPeriod = z.infer<typeof RecordPeriod>;

export const CheckpointRecord = z
  .object({
    checkpointId: Id.meta({ description: "The checkpoint" }),
    target: z.string().meta({ description: "What it predicts" }),
    madeUntil: Instant.nullable().meta({ description: "Last time of the data that its model was made with" }),
    knownUntil: Instant.nullable().meta({ description: "Time of the last actual value of the project" }),
    horizon: z
      .number()
      .int()
      .nullable()
      .meta({ description: "Steps ahead that are predicted from one origin to the next, as at training" }),
    reason,
    baselineName,
    errors: ForecastErrors.nullable().meta({ description: "Over all rows that arrived since" }),
    validation: ForecastErrors.omit({ rows: true }).meta({
      description: "The same on the validation rows, at the training",
    }),
    period: z.enum(["day", "week", "month"]).meta({ description: "What the rows are grouped by" }),
    periods: z.array(RecordPeriod).meta({ description: "In the order of time; those without rows left out" }),
    ...points,
  })
  .meta({ id: "CheckpointRecord" });
export type CheckpointRecord = z.infer<typeof CheckpointRecord>;

const BeforeAfter = <T extends z.ZodType>(of: T, description: string) =>
  z
    .object({ before: of.meta({ description: "Then" }), after: of.meta({ description: "Now" }) })
    .meta({ description });

/** What another training has changed: a model against the one before it. */
export const ModelChanges = z
  .object({
    modelId: Id.meta({ description: "The model" }),
    beforeId: Id.nullable().meta({ description: "The one before it; null for the project's first" }),
    modelName: BeforeAfter(z.string().nullable(), "What they are"),
    trainingRows: BeforeAfter(z.number().int().nullable(), "Rows that they were trained on"),
    knownUntil: BeforeAfter(Instant.nullable(), "Last time of the data that they were made with"),
    validation: BeforeAfter(
      z.record(z.string(), z.number().nullable()).nullable(),
      "Their metrics, each on its own validation rows",
    ),
    sameRows: z
      .object({
        from: Instant.meta({ description: "Time of the first row" }),
        to: Instant.meta({ description: "Time of the last one" }),
        before: ForecastErrors,
        after: ForecastErrors,
      })
      .nullable()
      .meta({
        description:
          "Errors of both models on rows that neither had seen when it predicted them; null where there are none",
      }),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why the two cannot be measured on the same rows; null where they can" }),
    features: z
      .object({
        added: z.array(z.string()).meta({ description: "That only this one takes" }),
        removed: z.array(z.string()).meta({ description: "That only the one before takes" }),
      })
      .meta({ description: "Input features" }),
    importance: z
      .array(
        z.object({
          feature: z.string().meta({ description: "Name of the input feature" }),
          before: z.number().nullable().meta({ description: "Its share then; null where it was none" }),
          after: z.number().nullable().meta({ description: "Its share now; null where it is none" }),
        }),
      )
      .meta({ description: "The largest shift first" }),
    settings: z
      .array(
        z.object({
          name: z.string().meta({ description: "Setting of the training, with dots" }),
          before: z.unknown().meta({ description: "Asked for then; null where nothing was" }),
          after: z.unknown().meta({ description: "Asked for now; null where nothing is" }),
        }),
      )
      .meta({ description: "Those that differ" }),
  })
  .meta({ id: "ModelChanges" });
export type ModelChanges = z.infer<typeof ModelChanges>;
