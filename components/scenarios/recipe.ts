import type { InputFeature } from "#lib/contract/models";
import { Adjustment } from "#lib/contract/scenarios";

type Value = Adjustment["value"];

/** Text typed for a feature, in the feature's own type; as it stands where it is none, so that it can be told. */
export function readValue(text: string, feature: Pick<InputFeature, "type"> | undefined): Value {
  if (feature?.type === "boolean") return text === "true" || text === "1";
  if (feature?.type === "category") return text;
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}

/** A first change of a feature that makes sense for what it holds. */
export function firstStep(feature: InputFeature): Adjustment {
  if (feature.type === "number") return { feature: feature.name, operation: "multiply", value: 1.1 };
  return { feature: feature.name, operation: "set", value: firstValue(feature) };
}

export function firstValue({ type, categories, median, max }: InputFeature): Value {
  if (type === "boolean") return true;
  if (type === "category") return categories?.[0] ?? "";
  if (type === "timestamp") return new Date(max ?? 0).toISOString();
  return median ?? 0;
}

/** The step for another feature: what it does stays where that can be done with both. */
export function withFeature(
  step: Adjustment,
  before: InputFeature | undefined,
  feature: InputFeature,
): Adjustment {
  if (before?.type === "number" && feature.type === "number") return { ...step, feature: feature.name };
  return { ...step, ...firstStep(feature) };
}

/** A day as the end of a stretch is the whole of it: a bare date would end an hourly series at its midnight. */
export const endOfDay = (date: string) => `${date}T23:59:59Z`;

/** Whether the steps can be sent to be checked. */
export const canBeChecked = (steps: readonly Adjustment[]) => Adjustment.array().safeParse(steps).success;

/** The faults of one step, of all that were found. */
export function faultsOfStep(
  faults: readonly { field?: string | undefined; message: string }[],
  step: number,
): string[] {
  return faults.filter(({ field }) => field === `adjustments.${step}`).map(({ message }) => message);
}
