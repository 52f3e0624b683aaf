import { queryOf } from "#components/api/query-of.ts";
import { endOfDay } from "#components/scenarios/recipe.ts";
import type { Sensitivity } from "#lib/contract/sensitivity";

export type InputChange = Sensitivity["change"];

/** Settings of the panel. Days are written as in a date field; empty: the first or the last day of the scenario. */
export type SensitivityState = { change: InputChange; from: string; to: string };

/** Returns the query of all features. The last day counts as a whole. */
export const sensitivityQuery = ({ change, from, to }: SensitivityState): string =>
  queryOf({ change, from, to: to && endOfDay(to) });

/** Returns the query of one feature with its response curve. */
export const curveQuery = (state: SensitivityState, feature: string): string =>
  `${sensitivityQuery(state)}&${queryOf({ feature, curves: "true" })}`;
