import { z } from "zod";
import { optional } from "./common.ts";

export const TrainAlgorithm = z.enum([
  "auto",
  "gradient_boosting",
  "ridge",
  "elastic_net",
  "seasonal_naive",
  "drift",
  "mean",
]);
export type TrainAlgorithm = z.infer<typeof TrainAlgorithm>;

export const Hyperparameters = z.strictObject({
  rounds: optional(z.number().int().min(1).max(5_000)).meta({ description: "Trees, at most" }),
  maxLeaves: optional(z.number().int().min(2).max(1_024)).meta({ description: "Leaves a tree" }),
  learningRate: optional(z.number().gt(0).max(1)).meta({ description: "Weight of a tree" }),
  minLeaf: optional(z.number().int().min(1).max(100_000)).meta({ description: "Rows a leaf, at least" }),
  l2: optional(z.number().min(0).max(1e9)).meta({ description: "Penalty of large leaves" }),
  subsample: optional(z.number().gt(0).max(1)).meta({ description: "Share of the rows a tree sees" }),
  colsample: optional(z.number().gt(0).max(1)).meta({ description: "Share of the features a tree sees" }),
  earlyStopping: optional(z.boolean()).meta({ description: "Stop adding trees when they no longer help" }),
  loss: optional(z.enum(["squared", "absolute", "quantile", "poisson"])).meta({
    description:
      "What boosting makes small: squared errors (predicts the mean; without it), absolute ones (the median), those of a quantile, or the Poisson deviance of counts and rates that are never negative. With another than `squared`, `auto` trains boosting alone",
  }),
  quantile: optional(z.number().gt(0).lt(1)).meta({
    description: "For the loss `quantile`: the part of the rows that is to lie below the prediction",
  }),
  l1: optional(z.number().min(0).max(1e9)).meta({
    description: "Penalty that leaves small sums of residuals without effect",
  }),
  monotone: optional(
    z
      .record(z.string().min(1).max(1_000), z.enum(["increasing", "decreasing"]))
      .refine((directions) => Object.keys(directions).length <= 1_000, { message: "At most 1000 columns" }),
  ).meta({
    description:
      "By input column with numbers: a larger value never lowers (`increasing`) or never raises (`decreasing`) the prediction. With it `auto` trains boosting alone",
    examples: [{ price: "decreasing" }],
  }),
  alpha: optional(z.number().min(0).max(1e9)).meta({
    description:
      "Penalty of ridge and of the elastic net, for columns of variance 1, as scikit-learn counts it; cross-validated without it",
  }),
  l1Ratio: optional(z.number().min(0).max(1)).meta({
    description: "Part of the elastic net's penalty on absolute values; cross-validated without it",
  }),
});
export type Hyperparameters = z.infer<typeof Hyperparameters>;

type Request = {
  algorithm?: TrainAlgorithm | undefined;
  features?: Record<string, unknown> | undefined;
  hyperparameters?: Hyperparameters | undefined;
};

/** Settings that boosting alone has, and that would be lost on another algorithm without a word. */
const BOOSTING_ALONE = ["loss", "quantile", "l1", "monotone"] as const;

/** Settings that cannot be had together, by the field that is too much. */
export function contradictions({ algorithm = "auto", features, hyperparameters = {} }: Request) {
  const found: { field: string; message: string }[] = [];
  const refuse = (field: string, message: string) => found.push({ field, message });
  const { loss, quantile, l1Ratio } = hyperparameters;
  if (quantile !== undefined && loss !== "quantile") {
    refuse("hyperparameters.quantile", "Only the loss `quantile` has one: send `loss` as well");
  }
  if (quantile === undefined && loss === "quantile") {
    refuse("hyperparameters.quantile", "The loss `quantile` needs one, such as 0.9");
  }
  if (algorithm !== "auto" && algorithm !== "gradient_boosting") {
    for (const name of BOOSTING_ALONE) {
      if (hyperparameters[name] === undefined) continue;
      refuse(
        `hyperparameters.${name}`,
        `A setting of gradient boosting; the algorithm \`${algorithm}\` has none such`,
      );
    }
  }
  if (l1Ratio !== undefined && algorithm !== "auto" && algorithm !== "elastic_net") {
    refuse(
      "hyperparameters.l1Ratio",
      `A setting of the elastic net; the algorithm \`${algorithm}\` has none such`,
    );
  }
  if (algorithm === "seasonal_naive") {
    for (const [name, value] of Object.entries(features ?? {})) {
      if (name === "calendar" || value === undefined) continue;
      refuse(`features.${name}`, "A seasonal naive forecast looks at one value alone, that of a season ago");
    }
  }
  return found;
}
