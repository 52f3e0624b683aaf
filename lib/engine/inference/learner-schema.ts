import { z } from "zod";

/** Strict schema of learner.json, which another service may have written, and the type of its content. */

const Count = z.number().int().min(0).max(2_147_483_647);
const Part = z.number().min(0).max(1);
/** Values of one season. The longest season that training finds has fewer steps. */
const Values = z.array(z.number()).max(100_000);
/** Coefficients of an ARIMA model: its filter needs the square of their number in memory. */
const Coefficients = z.array(z.number()).max(200);

const Linear = z.strictObject({
  version: z.literal(1),
  kind: z.literal("linear"),
  coefficients: z.array(z.number()).max(100_000),
  intercept: z.number(),
  means: z.array(z.number()).max(100_000),
});
export type LinearFile = z.infer<typeof Linear>;

const Base64 = z.base64();
/** Trees are concatenated in typed arrays, each as base64 of its little-endian bytes. */
const Trees = z.strictObject({
  version: z.literal(1),
  kind: z.literal("trees"),
  /** Present in models whose trees add to a linear model. */
  base: Linear.optional(),
  baseValue: z.number(),
  featureCount: z.number().int().min(0).max(100_000),
  /** Present in models that add up logarithms. */
  link: z.literal("exp").optional(),
  /** Absent in models of version 1, like `scale`. */
  center: z.number().optional(),
  scale: z.number().optional(),
  nodeCounts: z.array(z.number().int().min(1).max(10_000)).max(10_000),
  nodes: z.strictObject({
    feature: Base64,
    threshold: Base64,
    left: Base64,
    right: Base64,
    missingLeft: Base64,
    value: Base64,
    cover: Base64,
  }),
});

const Ets = z
  .strictObject({
    method: z.literal("ets"),
    form: z.strictObject({
      error: z.enum(["additive", "multiplicative"]),
      trend: z.enum(["none", "additive", "damped"]),
      season: z.enum(["none", "additive", "multiplicative"]),
    }),
    alpha: Part,
    beta: Part,
    gamma: Part,
    phi: Part,
    level: z.number(),
    slope: z.number(),
    season: Values,
  })
  .refine(
    ({ form, season }) => (form.season === "none") === (season.length === 0),
    "Use seasonal values exactly if the form has a season",
  );

const Season = z.strictObject({ kind: z.enum(["additive", "multiplicative"]), values: Values.min(1) });

const Theta = z.strictObject({
  method: z.literal("theta"),
  alpha: Part,
  theta: z.number().min(1).max(1_000),
  level: z.number(),
  count: Count,
  mean: z.number(),
  intercept: z.number(),
  slope: z.number(),
  season: Season.nullable(),
});

const Order = z.number().int().min(0).max(100);
const Arima = z
  .strictObject({
    method: z.literal("arima"),
    order: z.strictObject({
      p: Order,
      d: Order,
      q: Order,
      P: Order,
      D: Order,
      Q: Order,
      steps: z.number().int().min(1).max(100_000),
    }),
    ar: Coefficients,
    ma: Coefficients,
    mean: z.number(),
    differencing: Coefficients,
    past: Coefficients,
    state: z
      .strictObject({ mean: Coefficients, variance: z.array(z.number()).max(40_401).nullable() })
      .nullable(),
  })
  .refine(({ ar, ma, state }) => {
    const size = Math.max(ar.length, ma.length + 1);
    if (state === null) return true;
    return state.mean.length === size && (state.variance === null || state.variance.length === size ** 2);
  }, "Use a state of the coefficients' size");

const SeasonalEts = z.strictObject({
  method: z.literal("stl_ets"),
  seasons: z.array(Season).max(20),
  adjusted: Ets,
});

const Tsb = z.strictObject({
  method: z.literal("tsb"),
  alpha: Part,
  beta: Part,
  size: z.number(),
  probability: Part,
});

const Series = z.strictObject({
  version: z.literal(1),
  kind: z.literal("series"),
  methods: z
    .array(
      z.strictObject({
        parameters: z.discriminatedUnion("method", [Ets, Theta, Arima, SeasonalEts, Tsb]),
        start: z.number().int().min(-2_147_483_648).max(2_147_483_647),
      }),
    )
    .min(1, "there are none")
    .max(20),
  inputs: Linear.nullable(),
  mean: z.number(),
});

/** Models of version 1 name the file explain.json and use it only for contributions. */
export const LearnerSchema = z.discriminatedUnion("kind", [Trees, Linear, Series]);
export type LearnerFile = z.infer<typeof LearnerSchema>;
