import { z } from "zod";
import { CALENDAR_FIELDS } from "#lib/engine/time/calendar";

/** Fields of the learner of many series in learner.json. Numbers of all series are base64 of little-endian float64. */
const Base64 = z.base64();
const Text = z.string().max(10_000);
const Texts = z.array(Text).max(1_000_000);
const Steps = z.array(z.number().int().min(1).max(1_000_000)).max(20);

const Categories = z.strictObject({ column: Text, values: Texts });

/** @param schemas schemas of the methods' parameters and of trees, which other learners share */
export const panelSchema = <P extends z.ZodType, T extends z.ZodType>(schemas: { parameters: P; trees: T }) =>
  z.strictObject({
    version: z.literal(1),
    kind: z.literal("panel"),
    link: z.enum(["log", "identity"]),
    columns: z.array(Text).min(1).max(4),
    values: z.array(z.array(Text).min(1).max(4)).min(1, "there are none").max(10_000),
    width: z.number().int().min(0).max(100_000),
    pooled: Base64,
    typical: Base64,
    effects: Base64,
    centers: Base64,
    scales: Base64,
    errors: Base64,
    groups: Base64,
    weights: z.array(z.number().min(0).max(1)).max(1_000),
    local: z
      .array(
        z.strictObject({
          methods: z
            .array(
              z.strictObject({
                parameters: schemas.parameters,
                start: z.number().int().min(-2_147_483_648).max(2_147_483_647),
              }),
            )
            .max(20),
          mean: z.number(),
          ignored: z.array(z.number().int().min(-2_147_483_648).max(2_147_483_647)).max(100_000).optional(),
        }),
      )
      .max(10_000),
    global: z
      .strictObject({
        ensemble: schemas.trees,
        seasons: Steps,
        windows: Steps.min(1),
        fields: z.array(z.enum(CALENDAR_FIELDS)).max(20),
        categories: z.array(Categories).max(200),
        reach: z.number().int().min(1).max(1_000_000),
      })
      .nullable(),
    /** Corrections by forecasts of totals; absent in models of earlier versions. */
    reconciliation: z
      .strictObject({
        from: z.number().int().min(-2_147_483_648).max(2_147_483_647),
        steps: z.number().int().min(1).max(1_000_000),
        season: z.number().int().min(1).max(1_000_000),
        corrections: Base64,
      })
      .optional(),
    unknown: z.strictObject({
      base: z.number(),
      parts: z
        .array(z.strictObject({ column: Text, values: Texts, parts: z.array(z.number()).max(1_000_000) }))
        .max(200),
      error: z.number().min(0),
    }),
  });
