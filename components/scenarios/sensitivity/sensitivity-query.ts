import { endOfDay } from "#components/scenarios/recipe.ts";
import type { Sensitivity } from "#lib/contract/sensitivity";

export type InputChange = Sensitivity["change"];

/** Settings of the panel. Days are written as in a date field; empty: the first or the last day of the scenario. */
export type SensitivityState = { change: InputChange; from: string; to: string };

/** Returns the query of all features. The last day counts as a whole. */
export function sensitivityQuery({ change, from, to }: SensitivityState): string {
  return new URLSearchParams({
    change,
    ...(from && { from }),
    ...(to && { to: endOfDay(to) }),
  }).toString();
}

/** Returns the query of one feature with its response curve. */
export function curveQuery(state: SensitivityState, feature: string): string {
  return `${sensitivityQuery(state)}&${new URLSearchParams({ feature, curves: "true" })}`;
}
