import { z } from "zod";
import { Classification } from "#lib/contract/classification";
import { InputEffect } from "#lib/contract/input-effects";
import { StepCoverage } from "#lib/contract/intervals";
import { LeaderboardEntry } from "#lib/contract/leaderboard";
import { FeatureEngineering, InputFeature, TargetMetric, TrainingMetrics } from "#lib/contract/models";
import { PanelMetrics } from "#lib/contract/panel-metrics";
import { isWithinYears } from "#lib/engine/csv/timestamps";
import { parseFrequency } from "#lib/engine/features/frequency";
import { FeaturePipelineSchema } from "#lib/engine/features/pipeline-schema";
import { zoneOffset } from "#lib/engine/time/timezones";
import { FAMILIES } from "./learner.ts";

/** Strict schemas of a model's JSON files, which another service may have written, and the types of their content. */

const returnsNormally = (run: () => unknown): boolean => {
  try {
    run();
    return true;
  } catch {
    return false;
  }
};

const Count = z.number().int().min(0).max(2_147_483_647);
const Name = z.string().min(1).max(1_000);
const Time = z.number().refine(isWithinYears, "Use a time in the years 1000 to 9999, in epoch milliseconds");
const Frequency = z
  .string()
  .max(20)
  .refine((text) => returnsNormally(() => parseFrequency(text)), "Use a duration such as PT1H or P1D");
export const TimeZone = z
  .string()
  .max(64)
  .refine(
    (text) => returnsNormally(() => zoneOffset(text)(0)),
    "Use an IANA time zone such as Europe/Berlin",
  );
const Grid = z.strictObject({
  frequency: Frequency,
  timezone: TimeZone,
  start: Time,
  monthDay: z.number().int().min(1).max(31).optional(),
});
/** The API's limit of a horizon. */
const Horizon = z.number().int().min(1).max(10_000);
const Algorithm = z.enum([...FAMILIES, "panel", "imported"]);

/** A forecast without a model: a repeated season, or the mean of the training rows. */
const Naive = z.union([
  z.strictObject({ mean: z.number() }),
  z.strictObject({
    seasonal: z.strictObject({ season: z.number().int().min(1).max(1_000_000), horizon: Horizon }),
  }),
]);
export type NaiveForecast = z.infer<typeof Naive>;

const ClassName = z.string().max(10_000);

/** Position of each feature of an imported model, and the output (and its column) that holds the prediction. */
const Imported = z.strictObject({
  bindings: z
    .array(z.strictObject({ feature: Name, input: z.string().max(1_000), index: Count.optional() }))
    .max(10_000),
  output: z.string().max(1_000).nullable(),
  column: z.number().int().min(0).max(100_000).nullish(),
  /** Not used since decision 0187; older files have it. */
  isGuarded: z.boolean().optional(),
});

/** The model's properties and the position of its series. Instants are epoch milliseconds. */
const State = z.strictObject({
  /** 1: fitted on the rows before the validation rows, and evaluated by the ONNX runtime. */
  version: z.literal([1, 2]),
  modelName: z.string().max(200),
  algorithm: Algorithm,
  target: Name,
  targetMetric: TargetMetric,
  timestamp: Name.nullable(),
  timezone: TimeZone,
  frequency: Frequency.nullable(),
  grid: Grid.nullable(),
  /** Steps ahead for which the model was validated; null without a regular series. */
  horizon: Horizon.nullable(),
  lastTimestamp: Time.nullable(),
  /** Time of the last row that the model was fitted on; null without timestamps. Absent in version 1. */
  learnedUntil: Time.nullish(),
  trainingRows: Count,
  validationRows: Count,
  /** Lower bound of predictions; null if unbounded. Absent in version 1. */
  floor: z.number().nullish(),
  /** Times whose targets the model treats as missing, because they contradict all others. Absent if there are none. */
  ignored: z.array(Time).max(100_000).optional(),
  /** Classes of the target; absent for a target of numbers. The stored target is then 0 or 1. */
  classes: z.tuple([ClassName, ClassName]).optional(),
  /** Columns whose values divide the rows into series, and columns that are constant within each; absent for one series. */
  series: z.strictObject({ columns: z.array(Name).min(1).max(4), levels: z.array(Name).max(100) }).optional(),
  /** The naive forecast that the model was compared with. Absent in version 1. */
  naive: Naive.optional(),
  /** Optional files that are part of the artifact. */
  files: z.array(z.string().max(100)).max(20),
  imported: Imported.nullable(),
});
export type ModelState = z.infer<typeof State>;

const Feature = z.looseObject({
  ...InputFeature.shape,
  name: Name,
  missing: Count.nullable(),
  categories: z.array(z.string()).max(1_000).nullable(),
});

const isUnique = (names: readonly string[]) => new Set(names).size === names.length;

const Schema = z.strictObject({
  version: z.literal(1),
  inputFeatures: z
    .array(Feature)
    .max(20_000)
    .refine((features) => isUnique(features.map(({ name }) => name)), "Name each feature once"),
});

/** Columns that hold predictions of upstream projects. */
const Upstream = z.strictObject({
  version: z.literal(1),
  features: z.array(z.strictObject({ feature: Name, sourceProjectId: z.guid() })).max(1_000),
});
export type UpstreamFile = z.infer<typeof Upstream>;

const Step = z.number().int().min(1).max(100_000_000);
const Part = z.number().min(0).max(1);
const Level = z.number().gt(0).lt(1);
const widths = {
  buckets: z
    .array(
      z
        .strictObject({
          fromStep: Step,
          toStep: Step,
          levels: z.array(z.number()).max(100),
          halfWidths: z.array(z.number().min(0)).min(1).max(101),
        })
        .refine(
          ({ levels, halfWidths }) => halfWidths.length === levels.length + 1,
          "Use one half width more than levels",
        ),
    )
    .min(1)
    .max(100),
  growth: z
    .strictObject({
      step: Part,
      level: Part,
      at: z.number().gt(0),
      rows: Count.min(1).optional(),
      slopeGap: z.number().min(0).optional(),
    })
    .optional(),
  shape: z
    .strictObject({
      floor: z.number().nullable(),
      ratios: z.array(z.strictObject({ level: Level, ratio: z.number().min(0) })).max(20),
      sumPower: z.number().min(0).max(0.5).nullable(),
      sumErrors: z.strictObject({ shared: Part, fading: Part }).optional(),
      sharedBySeries: Part.optional(),
    })
    .optional(),
};
const Calibration = z
  .strictObject({
    ...widths,
    level: Level,
    coverage: Part.nullable(),
    calibrationRows: Count,
    coverageRows: Count.optional(),
    coverageBySteps: z.array(StepCoverage).max(100).optional(),
    floor: z.number().nullable(),
    generated: z.strictObject(widths).optional(),
    upstream: z.strictObject(widths).optional(),
    scale: z
      .strictObject({
        pipeline: FeaturePipelineSchema,
        unit: z.number().gt(0),
        coefficients: z.array(z.number()).max(100_000),
        means: z.array(z.number()).max(100_000),
      })
      .optional(),
  })
  .nullable();

export type CalibrationFile = z.infer<typeof Calibration>;

/** Shares of importance, and points of a chart: the shapes that the API returns for a model. */
const Importance = z.strictObject({
  feature: Name,
  gain: z.number(),
  parts: z
    .array(z.strictObject({ detail: z.string().max(200).nullable(), gain: z.number() }))
    .max(20_000)
    .optional(),
  permutation: z.number().optional(),
});
const Points = z.array(z.number().nullable()).max(1_000);
const Validation = z.strictObject({
  timestamps: z.array(z.iso.datetime()).max(1_000).nullable(),
  rows: z.array(Count).max(1_000),
  actual: Points,
  predicted: Points,
  residuals: Points.optional(),
  /** Rows whose values training treated as gaps. Absent if there are none, and in older files. */
  treated: z.array(Count).max(1_000).optional(),
});

const Metrics = z.strictObject({
  version: z.literal(1),
  modelName: z.string().max(200),
  algorithm: Algorithm,
  target: Name,
  targetMetric: TargetMetric,
  primaryMetricValue: z.number().nullable(),
  trainingMetrics: TrainingMetrics,
  inputFeatures: z.array(Feature).max(20_000),
  featureEngineering: FeatureEngineering,
  importance: z.array(Importance).max(20_000),
  effects: z.array(InputEffect).max(20_000).optional(),
  predicts: z.enum(["mean", "median"]).optional(),
  validation: Validation.nullable(),
  classification: Classification.optional(),
  leaderboard: z.array(LeaderboardEntry).max(1_000),
  resolvedRequest: z.record(z.string(), z.unknown()).optional(),
  coverage: Part.nullable(),
  coverageBySteps: z.array(StepCoverage).max(100).optional(),
  trainingRows: Count,
  validationRows: Count,
  horizon: Horizon.nullable(),
  frequency: Frequency.nullable(),
  panel: PanelMetrics.optional(),
});

/** The files that every model has, except features.json, whose schema is `FeaturePipelineSchema`. */
export const requiredSchemas = {
  "state.json": State,
  "schema.json": Schema,
  "calibration.json": Calibration,
  "upstream.json": Upstream,
  "metrics.json": Metrics,
} as const;

/**
 * explain.json of an imported model: a typical row (medians, most frequent categories). It is the reference for
 * contributions, because the model's structure is unknown.
 */
export const ReferenceSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("reference"),
  values: z
    .array(z.strictObject({ feature: Name, value: z.union([z.number(), z.string()]).nullable() }))
    .max(20_000),
});
export type ReferenceFile = z.infer<typeof ReferenceSchema>;

/** members.json; each entry is a learner. */
export const MembersSchema = z.array(z.unknown()).max(100);
