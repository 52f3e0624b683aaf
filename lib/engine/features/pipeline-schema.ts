import { z } from "zod";
import { shownValue } from "#lib/contract/shown-value";
import { CALENDAR_FIELDS } from "#lib/engine/time/calendar";

const ROLLING_STATISTICS = ["mean", "min", "max", "sum", "std", "median"] as const;
export type RollingStatistic = (typeof ROLLING_STATISTICS)[number];

const COMBINATIONS = ["ratio", "difference"] as const;

/**
 * The version written. Version 2 added holidays, target encoding, differences and combinations. Version 3 added the
 * scale of upstream predictions and of steps that read the target, and the fill `previous`. Version 4 added logarithms and
 * lags of inputs.
 */
export const PIPELINE_VERSION = 4;

const stepsBack = (sentence: string) => {
  const error = ({ input }: { input?: unknown }) => `${sentence}, not ${shownValue(input)}`;
  return z.int({ error }).min(1, { error });
};
/** Replacement for a missing value. Null means NaN, which trees route themselves. */
const fill = z.number().nullable();
const feature = z.string();
/** (value − center) × scale, in float64: the model's 32 bits would lose the changes of a target of 1e9 ± 0.5. */
const scaling = { center: z.number().optional(), scale: z.number().optional() };
/** `previous` is the newest known value before the missing one; without a known value, the center. */
const targetFill = z.union([fill, z.literal("previous")]);

const InputPastSchema = z.union([
  z.strictObject({ steps: z.int().min(1).max(1_000) }),
  z.strictObject({ decay: z.number().positive().max(0.99) }),
]);

/**
 * One feature engineering step with its fitted state, as plain JSON. `impute` changes the values that later steps
 * read. Each other step adds model inputs.
 */
const FeatureStepSchema = z.discriminatedUnion(
  "op",
  [
    z.strictObject({
      op: z.literal("impute"),
      feature,
      strategy: z.enum(["mean", "median", "keep"]),
      value: z.number().nullable(),
    }),
    /**
     * (value − center) × scale. With `log`, of the value's logarithm; values below `log` count as `log`. With `past`, the
     * value is that of the row some steps before, or a mean of all rows up to this one with weights that decay.
     */
    z.strictObject({
      op: z.literal("number"),
      feature,
      log: z.number().positive().optional(),
      past: InputPastSchema.optional(),
      ...scaling,
      scale: z.number(),
    }),
    z.strictObject({ op: z.literal("ordinal"), feature, categories: z.array(z.string()) }),
    z.strictObject({ op: z.literal("onehot"), feature, categories: z.array(z.string()) }),
    /** `values[i]` is the shrunk mean target of `categories[i]`; `unseen` is that of any other category. */
    z.strictObject({
      op: z.literal("targetEncoding"),
      feature,
      categories: z.array(z.string()),
      values: z.array(z.number()),
      unseen: z.number(),
      fill,
    }),
    /** The ratio or the difference of two inputs in the same row. */
    z.strictObject({
      op: z.literal("combine"),
      operation: z.enum(COMBINATIONS),
      feature,
      other: z.string(),
      fill,
    }),
    z.discriminatedUnion("encoding", [
      z.strictObject({
        op: z.literal("calendar"),
        field: z.enum(CALENDAR_FIELDS),
        encoding: z.enum(["number", "onehot"]),
      }),
      z.strictObject({
        op: z.literal("calendar"),
        field: z.enum(CALENDAR_FIELDS),
        encoding: z.literal("cyclic"),
        period: z.number().positive(),
        harmonics: z.int().min(1).max(100),
      }),
    ]),
    /** The holidays as ascending days since 1970-01-01. Stored, so that a change of law does not change a model. */
    z.strictObject({
      op: z.literal("holiday"),
      country: z.string(),
      region: z.string().nullable(),
      days: z.array(z.int()),
      /** Maximum distance in days at which a holiday counts as near. */
      reach: z.int().min(1),
    }),
    z.strictObject({ op: z.literal("trend"), start: z.number(), unitMs: z.number().positive() }),
    z.strictObject({
      op: z.literal("lag"),
      steps: stepsBack("A lag over the target must look back at least one step"),
      fill: targetFill,
      ...scaling,
    }),
    z.strictObject({
      op: z.literal("rolling"),
      window: stepsBack("A rolling window must hold at least one step"),
      shift: stepsBack("A rolling window over the target must end at least one step back"),
      statistic: z.enum(ROLLING_STATISTICS),
      fill,
      ...scaling,
    }),
    /** The target's growth over `span` steps, ending `shift` steps back. */
    z.strictObject({
      op: z.literal("difference"),
      shift: stepsBack("A difference of the target must look back at least one step"),
      span: stepsBack("A difference of the target must span at least one step"),
      fill: targetFill,
      ...scaling,
    }),
    z.strictObject({ op: z.literal("upstream"), feature, sourceProjectId: z.string(), fill, ...scaling }),
  ],
  {
    error: ({ input }) =>
      `The operation "${shownValue((input as { op?: unknown } | undefined)?.op)}" is unknown`,
  },
);

export type FeatureStep = z.infer<typeof FeatureStepSchema>;
export type Step<Op extends FeatureStep["op"]> = Extract<FeatureStep, { op: Op }>;

/** Conversion of a table to model inputs. The same object serves training, scenarios and single predictions. */
export const FeaturePipelineSchema = z.strictObject({
  version: z.literal([1, 2, 3, 4], {
    error: ({ input }) =>
      `Feature pipeline version ${shownValue(input)} is not supported. The latest supported version is ${PIPELINE_VERSION}`,
  }),
  target: z.string(),
  timestamp: z.string().nullable(),
  timezone: z.string(),
  /** The regular grid on which lags are counted. Null if the series is irregular. */
  grid: z
    .strictObject({
      frequency: z.string(),
      timezone: z.string(),
      start: z.number(),
      monthDay: z.number().int().min(1).max(31).optional(),
    })
    .nullable(),
  steps: z.array(FeatureStepSchema),
});

export type FeaturePipeline = z.infer<typeof FeaturePipelineSchema>;
