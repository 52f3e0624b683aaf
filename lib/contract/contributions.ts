import { z } from "zod";

const ContributionKind = z.enum(["input", "calendar", "level", "season", "past"]);
export type ContributionKind = z.infer<typeof ContributionKind>;

/** Contributions of features, split by kind and by what the model derives from a feature. */
const ContributionParts = z
  .object({
    features: z.array(z.string()).describe("Name of each part's feature, once per kind and detail."),
    kinds: z
      .array(ContributionKind)
      .describe(
        "Kind of each part. `input`: values of the feature. `calendar`: calendar and holidays of the timestamp. `level`, `season`: level with trend, and season, of the series. `past`: earlier values of the target.",
      ),
    details: z
      .array(z.string().nullable())
      .optional()
      .describe(
        "Derivation of the part from the feature, such as `hour of day` or `value 1 day earlier`. `null` for the feature's own values.",
      ),
    values: z
      .array(z.array(z.number()))
      .describe("Parts of each row, one list per row, in the order of `features`."),
  })
  .optional()
  .describe("The contributions split by kind and detail. A feature's parts add up to its contribution.");
export type ContributionParts = NonNullable<z.infer<typeof ContributionParts>>;

/** Contributions of features to the predictions of rows. */
export const contributionFields = {
  method: z
    .enum(["exact", "sampled"])
    .describe(
      "Method of the contributions. `exact`, or `sampled`: an approximation for models with unknown internals.",
    ),
  scale: z
    .enum(["prediction", "log_odds"])
    .describe(
      "Scale of `baseValue` and `values`. On the scale `log_odds`, they add up to log(p / (1 - p)) of the predicted probability p.",
    ),
  baseValue: z.number().describe("Expected prediction over the training data, on the `scale`."),
  features: z.array(z.string()).describe("Names of the input features."),
  values: z
    .array(z.array(z.number()))
    .describe("Contributions of each row, one list per row, in the order of `features`."),
  parts: ContributionParts,
};
