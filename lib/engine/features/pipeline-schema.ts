import { z } from "zod";
import { CALENDAR_FIELDS } from "./calendar.ts";

const ROLLING_STATISTICS = ["mean", "min", "max", "sum", "std", "median"] as const;
export type RollingStatistic = (typeof ROLLING_STATISTICS)[number];

const COMBINATIONS = ["ratio", "difference"] as const;

/**
 * The version that is written. Version 2 added holidays, target encoding, differences and combinations; version 3 the
 * scale and the fill `previous` of steps that read the target.
 */
export const PIPELINE_VERSION = 3;

const back = (sentence: string) => {
  const error = ({ input }: { input?: unknown }) => `${sentence}; ${String(input)} does not`;
  return z.int({ error }).min(1, { error });
};
/** What stands for a value that is not there; null: NaN, which trees route by themselves. */
const fill = z.number().nullable();
const feature = z.string();
/** (value − center) × scale, in float64: a target of 1e9 ± 0.5 would lose its changes in the model's 32 bits. */
const scaling = { center: z.number().optional(), scale: z.number().optional() };
/** `previous`: the newest known value before the one that is missing; where there is none, the center. */
const targetFill = z.union([fill, z.literal("previous")]);

/**
 * One step of feature engineering with its fitted state; plain JSON.
 * `impute` changes what later steps read of a column; each other step adds model inputs.
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
    /** (value − center) × scale */
    z.strictObject({ op: z.literal("number"), feature, ...scaling, scale: z.number() }),
    z.strictObject({ op: z.literal("ordinal"), feature, categories: z.array(z.string()) }),
    z.strictObject({ op: z.literal("onehot"), feature, categories: z.array(z.string()) }),
    /** `values[i]` is the mean target of `categories[i]`, shrunk; `unseen` that of any other category. */
    z.strictObject({
      op: z.literal("targetEncoding"),
      feature,
      categories: z.array(z.string()),
      values: z.array(z.number()),
      unseen: z.number(),
      fill,
    }),
    /** One input over, or minus, another one of the same row. */
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
    /** The holidays as days since 1970-01-01, ascending: a model's holidays do not change when a law does. */
    z.strictObject({
      op: z.literal("holiday"),
      country: z.string(),
      region: z.string().nullable(),
      days: z.array(z.int()),
      /** Days beyond which a holiday is no longer near. */
      reach: z.int().min(1),
    }),
    z.strictObject({ op: z.literal("trend"), start: z.number(), unitMs: z.number().positive() }),
    z.strictObject({
      op: z.literal("lag"),
      steps: back("A lag over the target must look back at least one step"),
      fill: targetFill,
      ...scaling,
    }),
    z.strictObject({
      op: z.literal("rolling"),
      window: back("A rolling window must hold at least one step"),
      shift: back("A rolling window over the target must end at least one step back"),
      statistic: z.enum(ROLLING_STATISTICS),
      fill,
      ...scaling,
    }),
    /** How much the target grew over `span` steps, up to `shift` steps back. */
    z.strictObject({
      op: z.literal("difference"),
      shift: back("A difference of the target must look back at least one step"),
      span: back("A difference of the target must span at least one step"),
      fill: targetFill,
      ...scaling,
    }),
    z.strictObject({ op: z.literal("upstream"), feature, sourceProjectId: z.string(), fill }),
  ],
  { error: ({ input }) => `The operation "${(input as { op?: unknown } | undefined)?.op}" is not known` },
);

export type FeatureStep = z.infer<typeof FeatureStepSchema>;
export type Step<Op extends FeatureStep["op"]> = Extract<FeatureStep, { op: Op }>;

/** How a table becomes model inputs. The same object serves training, scenarios and single predictions. */
export const FeaturePipelineSchema = z.strictObject({
  version: z.union([z.literal(1), z.literal(2), z.literal(3)], {
    error: ({ input }) =>
      `Feature pipeline version ${String(input)}: this service knows those up to ${PIPELINE_VERSION}`,
  }),
  target: z.string(),
  timestamp: z.string().nullable(),
  timezone: z.string(),
  /** The regular grid that lags are counted on; null where the series has none. */
  grid: z.strictObject({ frequency: z.string(), timezone: z.string(), start: z.number() }).nullable(),
  steps: z.array(FeatureStepSchema),
});

export type FeaturePipeline = z.infer<typeof FeaturePipelineSchema>;
