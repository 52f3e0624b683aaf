import { z } from "zod";
import { RepeatedDateOrInstant, repeatable } from "./common.ts";
import { ColumnName, ColumnTypeSchema } from "./datasets.ts";
import { limits } from "./limits.ts";
import { InputFeature } from "./models.ts";
import { runQuery } from "./scenario-runs.ts";
import { Adjustment } from "./scenarios.ts";
import { seriesQuery } from "./series-query.ts";

export const SensitivityQuery = z.object({
  change: z
    .enum(["percent", "deviation", "range"])
    .default("percent")
    .describe(
      "Change of each numeric input. `percent`: 10% less and 10% more. `deviation`: one standard deviation of the training data less and more. `range`: its minimum and its maximum in the training data. Booleans, categories, and numbers that are only 0 and 1 are set to each known value.",
    ),
  feature: repeatable(ColumnName)
    .refine((names) => names.length <= limits.sensitivityFeatures, "Name at most 100 features")
    .optional()
    .describe("Input features to change. Can be repeated. Defaults to the first 100 inputs."),
  curves: z
    .enum(["true", "false"])
    .optional()
    .transform((value) => value === "true")
    .describe("Whether to return response curves and densities of the features."),
  from: RepeatedDateOrInstant.optional().describe("First time of the span. Only for scenarios with times."),
  to: RepeatedDateOrInstant.optional().describe("Last time of the span, inclusive."),
  series: seriesQuery.series,
  where: seriesQuery.where,
  ...runQuery,
});

const difference = z.number().nullable();

const Effect = z
  .object({
    adjustment: Adjustment.describe(
      "The change. A scenario made from this one with this adjustment has the same difference, over the chosen series.",
    ),
    meanDifference: difference.describe(
      "Change of the mean prediction over the span. `null` if it cannot be computed.",
    ),
    sumDifference: difference.describe("Change of the sum of the predictions over the span."),
    trainingRows: z
      .number()
      .int()
      .nullable()
      .describe("For booleans and categories: number of kept training rows with this value."),
  })
  .meta({ id: "SensitivityEffect" });

const Curve = z
  .object({
    values: z.array(z.number()).describe("Values of the feature, ascending."),
    means: z
      .array(z.number().nullable())
      .describe("Mean prediction over the span with the feature set to each value in all rows."),
  })
  .meta({ id: "ResponseCurve" });

const Density = z
  .object({
    from: z.number().describe("Start of the first bin."),
    to: z.number().describe("End of the last bin."),
    counts: z
      .array(z.number().int())
      .describe("Number of kept training rows in each bin. All bins have the same width."),
  })
  .meta({ id: "TrainingDensity" });

export const SensitivityFeature = z
  .object({
    feature: z.string().describe("Name of the input feature."),
    type: ColumnTypeSchema.describe("Type of the values."),
    sourceProjectId: InputFeature.shape.sourceProjectId,
    effects: z
      .array(Effect)
      .describe("Effect of each change. Empty if the training data does not define the change."),
    values: z
      .object({
        min: z.number().describe("Minimum."),
        max: z.number().describe("Maximum."),
        mean: z.number().describe("Mean."),
      })
      .nullable()
      .describe("For numbers: the scenario's own values over the evaluated rows."),
    curve: Curve.nullable()
      .optional()
      .describe("For numbers: response curve over the feature's range in the training data."),
    density: Density.nullable()
      .optional()
      .describe(
        "For numbers: distribution of the training rows that the model keeps. `null` without such rows.",
      ),
  })
  .meta({ id: "SensitivityFeature" });
export type SensitivityFeature = z.infer<typeof SensitivityFeature>;

export const Sensitivity = z
  .object({
    change: SensitivityQuery.shape.change
      .unwrap()
      .describe("Change of each numeric input: `percent`, `deviation` or `range`."),
    rowCount: z.number().int().describe("Number of rows in the span."),
    evaluatedRows: z.number().int().describe("Number of rows that were evaluated."),
    sample: z
      .enum(["all", "spread", "first"])
      .describe(
        "Evaluated rows. `all`: every row of the span. `spread`: every n-th row, for long spans. `first`: the first rows, for long spans of models whose rows use earlier predictions.",
      ),
    trainingRows: z
      .number()
      .int()
      .describe("Number of training rows that the model keeps, for deviations and densities."),
    mean: z.number().nullable().describe("Mean prediction of the evaluated rows."),
    sum: z
      .number()
      .nullable()
      .describe("Sum of the predictions over the span: the mean times the number of rows."),
    omittedFeatures: z
      .number()
      .int()
      .describe("Number of inputs beyond the first 100, which were not changed."),
    features: z.array(SensitivityFeature).describe("Features with their effects, largest effect first."),
  })
  .meta({ id: "Sensitivity", description: "Effect of each input on the predictions of a scenario." });
export type Sensitivity = z.infer<typeof Sensitivity>;
