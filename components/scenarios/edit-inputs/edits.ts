import { boundsOf } from "#components/scenarios/goal-seek/goal-form.ts";
import { type Condition, hasEffect, neutral } from "#components/scenarios/recipe.ts";
import type { DaySpan } from "#components/scenarios/span-fields.tsx";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";

export type Recipe = readonly Adjustment[];

export type Change = Pick<Adjustment, "operation" | "value">;

/** Rows that a change applies to. */
type RowLimits = Pick<Adjustment, "from" | "to" | "where">;

/** Returns the rows of a span that meet all conditions. */
export const limitsOf = ({ from, to }: DaySpan, where: readonly Condition[]): RowLimits => ({
  ...(from && { from }),
  ...(to && { to }),
  ...(where.length > 0 && { where: [...where] }),
});

const textOf = ({ from, to, where }: RowLimits) => JSON.stringify([from, to, where]);

function placeOf(recipe: Recipe, name: string, rows: RowLimits): number {
  const sought = textOf(rows);
  return recipe.findIndex((one) => one.feature === name && textOf(one) === sought);
}

/** Returns the number of changes of other rows. */
export function changesElsewhere(recipe: Recipe, rows: RowLimits): number {
  const shown = textOf(rows);
  return recipe.filter((one) => textOf(one) !== shown).length;
}

/** Returns the change of a feature at the given rows; null without one. */
export function changeOf(recipe: Recipe, name: string, rows: RowLimits): Change | null {
  return recipe[placeOf(recipe, name, rows)] ?? null;
}

/**
 * Returns the recipe with the change of a feature at the given rows. A new change comes last. Null, or a change without
 * effect, removes it. A recipe with the most steps that a scenario takes gets no further one.
 */
export function withChange(recipe: Recipe, name: string, rows: RowLimits, change: Change | null): Recipe {
  const place = placeOf(recipe, name, rows);
  if (change === null || !hasEffect(change)) return place < 0 ? recipe : recipe.toSpliced(place, 1);
  if (place < 0 && recipe.length >= limits.adjustmentsMax) return recipe;
  const { operation, value } = change;
  const step = { feature: name, operation, value, ...rows };
  return place < 0 ? [...recipe, step] : recipe.with(place, step);
}

/** Returns the operand without effect; of `set`, the median of the training data. */
export function startOf(operation: Adjustment["operation"], { median }: InputFeature): number {
  return operation === "set" ? (median ?? 0) : neutral[operation];
}

/** Fields show a factor as a change in per cent. */
export const toShown = (operation: Adjustment["operation"], value: number) =>
  operation === "multiply" ? Number((100 * value - 100).toPrecision(12)) : value;
export const fromShown = (operation: Adjustment["operation"], shown: number) =>
  operation === "multiply" ? (100 + shown) / 100 : shown;

/** Returns the range of a slider, in the numbers that the field shows. */
export function sliderOf(
  operation: Adjustment["operation"],
  feature: InputFeature,
): { min: number; max: number; step: number } {
  if (operation === "multiply") return { min: -50, max: 50, step: 1 };
  const { min, max, step } = boundsOf(operation, feature);
  return { min: Number(min), max: Number(max), step: Number(step) };
}

/** Returns the scenarios to compare with saved edits: all of the chart, or the baseline if that would be too many. */
export function comparedWith(ids: readonly string[], baselineId: string, savedId: string): string[] {
  const others = ids.filter((id) => id !== savedId);
  return [...(others.length < limits.compareMax ? others : [baselineId]), savedId];
}
