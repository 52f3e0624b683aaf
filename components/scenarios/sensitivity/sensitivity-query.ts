import { queryOf } from "#components/api/query-of.ts";
import type { DaySpan } from "#components/scenarios/span-fields.tsx";
import type { Sensitivity } from "#lib/contract/sensitivity";

export type InputChange = Sensitivity["change"];

/** Settings of the panel. */
export type SensitivityState = DaySpan & { change: InputChange; where?: readonly string[] };

/** Returns the query of all features. */
export const sensitivityQuery = ({ change, from, to, where = [] }: SensitivityState): string =>
  queryOf({ change, from, to, where });

/** Returns the query of one feature with its response curve. */
export const curveQuery = (state: SensitivityState, feature: string): string =>
  `${sensitivityQuery(state)}&${queryOf({ feature, curves: "true" })}`;
