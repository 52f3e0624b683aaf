import { z } from "zod";
import { algorithmNames } from "./algorithms.ts";
import { optional } from "./common.ts";
import { ColumnName } from "./datasets.ts";
import { shownValue } from "./shown-value.ts";

export const TrainAlgorithm = z.enum(["auto", ...algorithmNames()]);
export type TrainAlgorithm = z.infer<typeof TrainAlgorithm>;

/** Directions of effects, by numeric input column. */
export const Directions = z
  .record(ColumnName, z.enum(["increasing", "decreasing"]))
  .refine((directions) => Object.keys(directions).length <= 1_000, { message: "Use at most 1,000 columns" });

export const Hyperparameters = z.strictObject({
  rounds: optional(z.number().int().min(1).max(5_000)).describe("Maximum number of trees."),
  maxLeaves: optional(z.number().int().min(2).max(1_024)).describe("Maximum number of leaves per tree."),
  learningRate: optional(z.number().gt(0).max(1)).describe("Learning rate: the weight of each tree."),
  minLeaf: optional(z.number().int().min(1).max(100_000)).describe("Minimum number of rows per leaf."),
  l2: optional(z.number().min(0).max(1e9)).describe("L2 penalty on the values of leaves."),
  subsample: optional(z.number().gt(0).max(1)).describe("Share of the rows that each tree is fitted on."),
  colsample: optional(z.number().gt(0).max(1)).describe("Share of the features that each tree is fitted on."),
  earlyStopping: optional(z.boolean()).describe("Whether to stop adding trees once they no longer help."),
  loss: optional(z.enum(["squared", "absolute", "quantile", "poisson"])).describe(
    "Loss that gradient boosting minimises. `squared`, the default, predicts the mean; `absolute` the median; `quantile` a quantile. `poisson` is the Poisson deviance, for counts and rates that are never negative. With a loss other than `squared`, `auto` trains gradient boosting only.",
  ),
  quantile: optional(z.number().gt(0).lt(1)).describe(
    "For the loss `quantile`: share of the rows that lie below the prediction.",
  ),
  l1: optional(z.number().min(0).max(1e9)).describe(
    "L1 penalty: leaves with a small sum of residuals have no effect.",
  ),
  monotone: optional(Directions).meta({
    description:
      "Direction of the effect, by numeric input column. With `increasing`, a larger value never lowers the prediction. With `decreasing`, a larger value never raises it. A column with a direction cannot be in `features.combinations`. If set, `auto` trains gradient boosting only.",
    examples: [{ price: "decreasing" }],
  }),
  targetTransform: optional(z.enum(["none", "difference"])).describe(
    "Quantity that gradient boosting learns. `none`: the target. `difference`: the target minus the mean of the last season within its lags, which follows a trend. It requires a window with the statistic `mean` in `features.rolling`, or neither `features.lags` nor `features.rolling`. With `difference`, `auto` trains gradient boosting only. Back-tests choose by default.",
  ),
  alpha: optional(z.number().min(0).max(1e9)).describe(
    "Penalty of ridge and elastic net, for columns of variance 1, on the scale that scikit-learn uses. Cross-validated by default.",
  ),
  l1Ratio: optional(z.number().min(0).max(1)).describe(
    "L1 share of the elastic net penalty. Cross-validated by default.",
  ),
});
export type Hyperparameters = z.infer<typeof Hyperparameters>;

type Request = {
  algorithm?: TrainAlgorithm | undefined;
  features?: Record<string, unknown> | undefined;
  expectedEffects?: z.infer<typeof Directions> | undefined;
  hyperparameters?: Hyperparameters | undefined;
};

/** Settings that only gradient boosting has. Other algorithms would silently ignore them. */
const BOOSTING_ONLY = ["loss", "quantile", "l1", "monotone", "targetTransform"] as const;

/** Whether lags or windows are chosen, none of them a window of the mean. */
function lacksLevel({ lags, rolling }: NonNullable<Request["features"]> = {}): boolean {
  if (lags === undefined && rolling === undefined) return false;
  const windows = (rolling ?? []) as { statistic?: string }[];
  return !windows.some(({ statistic }) => statistic === "mean");
}

/** Returns combinations of settings that contradict each other, by the field to remove. */
export function contradictions({
  algorithm = "auto",
  features,
  expectedEffects = {},
  hyperparameters = {},
}: Request) {
  const issues: { field: string; message: string }[] = [];
  const report = (field: string, message: string) => issues.push({ field, message });
  const { loss, quantile, l1Ratio, monotone = {}, targetTransform } = hyperparameters;
  if (quantile !== undefined && loss !== "quantile") {
    report("hyperparameters.quantile", "Use a quantile only with the loss `quantile`: send `loss` as well");
  }
  if (quantile === undefined && loss === "quantile") {
    report("hyperparameters.quantile", "Send a quantile such as 0.9: the loss `quantile` requires one");
  }
  if (loss === "poisson" && targetTransform === "difference") {
    report(
      "hyperparameters.targetTransform",
      "Use another loss, or no transform: differences can be negative, and the loss `poisson` is for counts",
    );
  }
  if (targetTransform === "difference" && lacksLevel(features)) {
    report(
      "hyperparameters.targetTransform",
      "Add a window with the statistic `mean` to `features.rolling`, or leave out `features.lags` and `features.rolling`: differences refer to a mean of recent values",
    );
  }
  const { combinations = [] } = (features ?? {}) as { combinations?: { feature: string; other: string }[] };
  const directions = [
    ...Object.keys(monotone).map((name) => ["hyperparameters.monotone", name] as const),
    ...Object.keys(expectedEffects).map((name) => ["expectedEffects", name] as const),
  ];
  for (const [field, name] of directions) {
    if (!combinations.some(({ feature, other }) => name === feature || name === other)) continue;
    report(
      field,
      `Remove the direction of "${shownValue(name)}", or its ratios and differences from \`features.combinations\`: their effect has no direction`,
    );
  }
  if (algorithm !== "auto" && algorithm !== "gradient_boosting") {
    for (const name of BOOSTING_ONLY) {
      if (hyperparameters[name] === undefined) continue;
      report(
        `hyperparameters.${name}`,
        `Use this setting only with gradient boosting: the algorithm \`${algorithm}\` does not have it`,
      );
    }
  }
  if (l1Ratio !== undefined && algorithm !== "auto" && algorithm !== "elastic_net") {
    report(
      "hyperparameters.l1Ratio",
      `Use this setting only with the elastic net: the algorithm \`${algorithm}\` does not have it`,
    );
  }
  if (algorithm === "seasonal_naive") {
    for (const [name, value] of Object.entries(features ?? {})) {
      if (name === "calendar" || value === undefined) continue;
      report(
        `features.${name}`,
        "Use this setting only with other algorithms: a seasonal naive forecast uses only the value of a season ago",
      );
    }
  }
  return issues;
}
