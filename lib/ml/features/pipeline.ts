import { z } from "zod";
import { CALENDAR_FIELDS } from "./calendar.ts";

export const ROLLING_STATISTICS = ["mean", "min", "max", "sum", "std", "median"] as const;
export type RollingStatistic = (typeof ROLLING_STATISTICS)[number];

export const COMBINATIONS = ["ratio", "difference"] as const;

/** The version that is written. Version 1 knew neither holidays, target encoding, differences nor combinations. */
export const PIPELINE_VERSION = 2;

const back = (sentence: string) => {
  const error = ({ input }: { input?: unknown }) => `${sentence}; ${String(input)} does not`;
  return z.int({ error }).min(1, { error });
};
/** What stands for a value that is not there; null: NaN, which trees route by themselves. */
const fill = z.number().nullable();
const feature = z.string();

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
    z.strictObject({ op: z.literal("number"), feature, scale: z.number(), center: z.number().optional() }),
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
      fill,
    }),
    z.strictObject({
      op: z.literal("rolling"),
      window: back("A rolling window must hold at least one step"),
      shift: back("A rolling window over the target must end at least one step back"),
      statistic: z.enum(ROLLING_STATISTICS),
      fill,
    }),
    /** How much the target grew over `span` steps, up to `shift` steps back. */
    z.strictObject({
      op: z.literal("difference"),
      shift: back("A difference of the target must look back at least one step"),
      span: back("A difference of the target must span at least one step"),
      fill,
    }),
    z.strictObject({ op: z.literal("upstream"), feature, sourceProjectId: z.string(), fill }),
  ],
  { error: ({ input }) => `The operation "${(input as { op?: unknown } | undefined)?.op}" is not known` },
);

export type FeatureStep = z.infer<typeof FeatureStepSchema>;
export type Step<Op extends FeatureStep["op"]> = Extract<FeatureStep, { op: Op }>;

/** How a table becomes model inputs. The same object serves training, scenarios and single predictions. */
const FeaturePipelineSchema = z.strictObject({
  version: z.union([z.literal(1), z.literal(2)], {
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

/** A lag or window that would look at the present or the future of the target, or a step that cannot be done. */
export class InvalidFeatureStep extends Error {
  override name = "InvalidFeatureStep";
}

/**
 * A pipeline as it was stored, checked: every step is known, has the state that it needs, and sees no future.
 * Throws InvalidFeatureStep at the first that does not.
 */
export function checkPipeline(stored: unknown): FeaturePipeline {
  const parsed = FeaturePipelineSchema.safeParse(stored);
  if (!parsed.success) throw new InvalidFeatureStep(explain(parsed.error.issues[0]!));
  const pipeline = parsed.data;
  for (const step of pipeline.steps) {
    if (readsTime(step) && pipeline.timestamp === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a timestamp column.`);
    }
    if (targetReads(step) !== null && pipeline.grid === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a series with a regular frequency.`);
    }
    if (step.op === "targetEncoding" && step.values.length !== step.categories.length) {
      throw new InvalidFeatureStep(`The target encoding of "${step.feature}" lacks values.`);
    }
  }
  return pipeline;
}

function explain({ path: [part, index, ...rest], message }: z.core.$ZodIssue): string {
  if (part !== "steps" || typeof index !== "number") return `${message}.`;
  const where = rest.length > 0 ? `, ${rest.join(".")}` : "";
  return `Feature step ${index + 1}${where}: ${message}.`;
}

/** Whether a step reads the time of a row and nothing else. */
export function readsTime({ op }: FeatureStep): boolean {
  return op === "calendar" || op === "holiday" || op === "trend";
}

/** How many steps back the nearest and the furthest target value lie that a step reads; null if it reads none. */
export function targetReads(step: FeatureStep): { nearest: number; furthest: number } | null {
  switch (step.op) {
    case "lag":
      return { nearest: step.steps, furthest: step.steps };
    case "rolling":
      return { nearest: step.shift, furthest: step.shift + step.window - 1 };
    case "difference":
      return { nearest: step.shift, furthest: step.shift + step.span };
    default:
      return null;
  }
}

/** The smallest number of steps that any feature looks back over the target; null without such a feature. */
export function shortestTargetShift({ steps }: FeaturePipeline): number | null {
  const nearest = steps.flatMap((step) => targetReads(step)?.nearest ?? []);
  return nearest.length > 0 ? Math.min(...nearest) : null;
}

/** How many steps back the oldest target value lies that any feature reads; 0 without lags. */
export function longestLookback({ steps }: FeaturePipeline): number {
  return Math.max(0, ...steps.map((step) => targetReads(step)?.furthest ?? 0));
}
