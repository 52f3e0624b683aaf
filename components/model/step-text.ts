import { counted } from "#lib/contract/counted";
import type { FeatureEngineering } from "#lib/contract/models";
import { type CalendarField, FIELD_NAMES } from "#lib/engine/time/calendar";

type Step = FeatureEngineering["steps"][number];

function pastText(past: unknown): string {
  if (typeof past !== "object" || past === null) return "";
  return "steps" in past
    ? `${counted(Number(past.steps), "step")} back, `
    : "decaying mean of earlier values, ";
}

const words: Record<string, (step: Step) => string> = {
  impute: (step) =>
    step.strategy === "keep"
      ? `${step.feature}: the model handles missing values`
      : `${step.feature}: missing values are replaced by the ${step.strategy}`,
  number: (step) => `${step.feature}: ${pastText(step.past)}as a number`,
  ordinal: (step) => `${step.feature}: categories as numbers`,
  onehot: (step) => `${step.feature}: one column per category`,
  targetEncoding: (step) => `${step.feature}: mean target per category, from earlier training rows`,
  combine: (step) => `${step.feature} ${step.operation === "ratio" ? "over" : "minus"} ${step.other}`,
  holiday: (step) =>
    `public holidays of ${[step.country, step.region].filter(Boolean).join(" / ")}, days until and since`,
  calendar: (step) =>
    `calendar: ${FIELD_NAMES[step.field as CalendarField] ?? step.field}${step.encoding === "number" ? "" : `, ${step.encoding}`}`,
  trend: () => "trend over time",
  lag: (step) => `target, ${counted(Number(step.steps), "step")} back`,
  rolling: (step) =>
    `target, ${step.statistic} of ${counted(Number(step.window), "step")}, ending ${step.shift} back`,
  difference: (step) =>
    `target, change over ${counted(Number(step.span), "step")}, ending ${step.shift} back`,
  upstream: (step) => `${step.feature}: prediction of an upstream project`,
};

/** Describes a feature engineering step; an unknown step by its name. */
export function stepText(step: Step): string {
  return words[step.op]?.(step) ?? step.op;
}
