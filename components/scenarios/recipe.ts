import type { InputFeature } from "#lib/contract/models";
import { Adjustment } from "#lib/contract/scenarios";
import { choicesOf } from "./choices.ts";

type Value = Adjustment["value"];

export type Condition = NonNullable<Adjustment["where"]>[number];

/** Parses text by the feature's type. Returns invalid text unchanged so that the service can report it. */
export function readValue(text: string, feature: Pick<InputFeature, "type"> | undefined): Value {
  if (feature?.type === "boolean") return text === "true" || text === "1";
  if (feature?.type === "category") return text;
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}

/** Returns a sensible first step for a feature. */
export function firstStep(feature: InputFeature): Adjustment {
  if (feature.type === "number" && choicesOf(feature) === null)
    return { feature: feature.name, operation: "multiply", value: 1.1 };
  return { feature: feature.name, operation: "set", value: firstValue(feature) };
}

export function firstValue({ type, categories, median, max }: InputFeature): Value {
  if (type === "boolean") return true;
  if (type === "category") return categories?.[0] ?? "";
  if (type === "timestamp") return new Date(max ?? 0).toISOString();
  return median ?? 0;
}

/** Returns the step for another feature. Keeps the operation if both features support it. */
export function withFeature(
  step: Adjustment,
  before: InputFeature | undefined,
  feature: InputFeature,
): Adjustment {
  const isAmount = (one: InputFeature | undefined) => one?.type === "number" && choicesOf(one) === null;
  if (isAmount(before) && isAmount(feature)) return { ...step, feature: feature.name };
  return { ...step, ...firstStep(feature) };
}

/** Names of the operations before their operand. */
export const operations = { multiply: "multiply by", add: "add", set: "set to" };

/** Operands that change nothing. */
export const neutral = { multiply: 1, add: 0 };

/** Returns whether a step can change a value. */
export const hasEffect = ({ operation, value }: Pick<Adjustment, "operation" | "value">) =>
  operation === "set" || value !== neutral[operation];

/** Returns whether a condition's value has the type of its feature. */
export function fits({ feature, value }: Condition, features: readonly InputFeature[]): boolean {
  const type = features.find(({ name }) => name === feature)?.type;
  return type === "number" ? typeof value === "number" : type !== "category" || value !== "";
}

/** Returns whether the steps are complete enough to send. */
export const canBeChecked = (steps: readonly Adjustment[]) => Adjustment.array().safeParse(steps).success;

/** Returns the issues of one step. */
export function issuesOfStep(
  issues: readonly { field?: string | undefined; message: string }[],
  step: number,
): string[] {
  return issues.filter(({ field }) => field === `adjustments.${step}`).map(({ message }) => message);
}
