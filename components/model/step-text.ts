import { counted } from "#lib/contract/counted";
import type { FeatureEngineering } from "#lib/contract/models";

type Step = FeatureEngineering["steps"][number];

const words: Record<string, (step: Step) => string> = {
  impute: (step) =>
    step.strategy === "keep"
      ? `${step.feature}: missing values are left to the model`
      : `${step.feature}: missing values become the ${step.strategy}`,
  number: (step) => `${step.feature}: as a number`,
  ordinal: (step) => `${step.feature}: categories as numbers`,
  onehot: (step) => `${step.feature}: one column a category`,
  targetEncoding: (step) => `${step.feature}: mean target of each category, of earlier rows in training`,
  combine: (step) => `${step.feature} ${step.operation === "ratio" ? "over" : "minus"} ${step.other}`,
  holiday: (step) =>
    `public holidays of ${[step.country, step.region].filter(Boolean).join(" / ")}, days until and since`,
  calendar: (step) => `calendar: ${step.field}${step.encoding === "number" ? "" : `, ${step.encoding}`}`,
  trend: () => "trend over time",
  lag: (step) => `target, ${counted(Number(step.steps), "step")} back`,
  rolling: (step) =>
    `target, ${step.statistic} of ${counted(Number(step.window), "step")}, ending ${step.shift} back`,
  difference: (step) =>
    `target, change over ${counted(Number(step.span), "step")}, ending ${step.shift} back`,
  upstream: (step) => `${step.feature}: another project's prediction`,
};

/** A step of feature engineering in words; an unknown one by its name. */
export function stepText(step: Step): string {
  return words[step.op]?.(step) ?? step.op;
}
