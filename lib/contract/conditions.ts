import { z } from "zod";
import { ColumnName } from "./datasets.ts";

export const FeatureValue = z.union([z.number(), z.string().max(1_000), z.boolean()]);

/** Conditions of adjustments and overrides. A row must meet all of them. */
export const Conditions = z
  .array(
    z.strictObject({
      feature: ColumnName.describe("Name of the input feature to compare."),
      operator: z.enum(["=", "!=", "<", "<=", ">", ">="]).describe("Comparison operator."),
      value: FeatureValue.describe("Value to compare with."),
    }),
  )
  .max(20);
export type Condition = z.infer<typeof Conditions>[number];
