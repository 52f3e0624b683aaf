import { algorithmNames, listNames } from "#lib/contract/algorithms";
import type { Classes } from "#lib/contract/classes";
import { CLASS_METRICS, isClassMetric, NUMBER_METRICS } from "#lib/contract/metric-names";
import type { TrainModel } from "#lib/contract/train-model";
import { predictsClasses } from "#lib/engine/inference/learner";

type Request = Pick<TrainModel, "task" | "algorithm" | "targetMetric" | "features" | "hyperparameters">;

const BOOSTING_ONLY = ["loss", "quantile", "targetTransform"] as const;
const PAST = ["lags", "rolling", "differences"] as const;

/** Returns the settings of a request that do not suit its target, by field. @param classes null: a target of numbers */
export function unsuitableSettings(
  { task, algorithm = "auto", targetMetric, features = {}, hyperparameters = {} }: Request,
  classes: Classes | null,
): { field: string; message: string }[] {
  const issues: { field: string; message: string }[] = [];
  const report = (field: string, message: string) => issues.push({ field, message });
  if (classes === null) {
    if (task === "classification")
      report("task", "Use a target of two classes: booleans, two texts, or the numbers 0 and 1.");
    if (targetMetric !== undefined && isClassMetric(targetMetric))
      report("targetMetric", `Use one of ${NUMBER_METRICS.join(", ")}: the target holds numbers.`);
    return issues;
  }
  const [negative, positive] = classes;
  const has = `the target has the classes "${negative}" and "${positive}"`;
  if (task === "regression") report("task", `Leave it out: ${has}.`);
  if (targetMetric !== undefined && !isClassMetric(targetMetric))
    report("targetMetric", `Use one of ${CLASS_METRICS.join(", ")}: ${has}.`);
  if (algorithm !== "auto" && !predictsClasses(algorithm))
    report("algorithm", `Use ${listNames(algorithmNames().filter(predictsClasses), "disjunction")}: ${has}.`);
  for (const name of BOOSTING_ONLY) {
    if (hyperparameters[name] === undefined || hyperparameters[name] === "none") continue;
    report(`hyperparameters.${name}`, `Leave it out: ${has}, whose loss is the log loss.`);
  }
  for (const name of PAST) {
    if (features[name]?.length)
      report(`features.${name}`, `Leave it out: ${has}, which models do not look back at.`);
  }
  return issues;
}
