"use client";

import { useMemo } from "react";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { describeOutside, prepareOutside } from "#components/chart/prepare-outside.ts";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { Scenario } from "#lib/contract/scenarios";

const outsideCodes = ["outside_range", "unseen_category"];

/** Whether a scenario's warnings tell of values that its model was not trained on: known before where they are. */
export const goesOutside = ({ warnings }: Pick<Scenario, "warnings">) =>
  warnings.some(({ code }) => outsideCodes.includes(code));

type Shown = { id: string; title: string; color: string };

/**
 * Where scenarios are outside of what their models were trained on: the marks of a chart, and the same in words.
 *
 * @param known of each scenario, as far as it has arrived
 */
export function useOutside(
  scenarios: readonly Shown[],
  known: ReadonlyMap<string, Extrapolation>,
  prepared: PreparedComparison | undefined,
) {
  return useMemo(() => {
    const found = scenarios.flatMap((scenario) => {
      const extrapolation = known.get(scenario.id);
      return extrapolation === undefined ? [] : [{ scenario, title: scenario.title, extrapolation }];
    });
    return {
      marks: prepared
        ? found.flatMap(({ scenario: { id, title, color }, extrapolation }) =>
            prepareOutside(extrapolation, prepared, { id, title, color }),
          )
        : [],
      text: describeOutside(found),
    };
  }, [known, scenarios, prepared]);
}
