import { z } from "zod";
import { FeaturePipelineSchema } from "#lib/engine/features/pipeline-schema";
import { type MethodParameters, registered } from "#lib/engine/series-methods/registry";
import { seasonSchema } from "#lib/engine/series-methods/season";
import { panelSchema } from "./panel-schema.ts";

/** Strict schema of learner.json, which another service may have written, and the type of its content. */

type Discriminable = z.core.$ZodTypeDiscriminable;

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
  /** Absent in models whose state has version 1, like `scale`. */
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

const Parameters = z.discriminatedUnion(
  "method",
  registered.map(({ schema }) => schema(z)) as [Discriminable, ...Discriminable[]],
) as unknown as z.ZodType<MethodParameters>;

const GridIndex = z.number().int().min(-2_147_483_648).max(2_147_483_647);

const Series = z.strictObject({
  version: z.literal(1),
  kind: z.literal("series"),
  methods: z
    .array(
      z.strictObject({
        parameters: Parameters,
        start: GridIndex,
      }),
    )
    .min(1, "there are none")
    .max(20),
  /** Present in models whose methods do not see the seasons. */
  seasons: z.strictObject({ start: GridIndex, parts: z.array(seasonSchema(z)).min(1).max(20) }).optional(),
  /** Present in models that treat values of the target as gaps. */
  ignored: z.array(GridIndex).max(100_000).optional(),
  inputs: Linear.nullable(),
  mean: z.number(),
});

const Blend = z.strictObject({
  version: z.literal(1),
  kind: z.literal("blend"),
  parts: z
    .array(
      z.strictObject({
        weight: z.number().min(0).max(1),
        factor: z.number().positive().optional(),
        pipeline: FeaturePipelineSchema,
        learner: z.discriminatedUnion("kind", [Trees, Linear, Series]),
      }),
    )
    .min(1, "there are none")
    .max(10),
});

const Panel = panelSchema({ parameters: Parameters, trees: Trees });
export type PanelFile = z.infer<typeof Panel>;

/** `learner.json`. Models whose state has version 1 name it `explain.json`, and use it only for contributions. */
export const LearnerSchema = z.discriminatedUnion("kind", [Trees, Linear, Series, Blend, Panel]);
export type StoredFile = z.infer<typeof LearnerSchema>;
/** The file of a learner of one series, or of rows without a series. */
export type LearnerFile = Exclude<StoredFile, PanelFile>;
