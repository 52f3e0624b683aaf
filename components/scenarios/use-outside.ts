"use client";

import { useMemo } from "react";
import type { ChartAxis } from "#components/chart/axis.ts";
import { describeOutside, prepareOutside, withShownNames } from "#components/chart/prepare-outside.ts";
import { useDisplays } from "#components/display/displays.tsx";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { Scenario } from "#lib/contract/scenarios";

const outsideCodes = ["outside_range", "unseen_category"];

/**
 * Returns whether a scenario's warnings report values outside the known range, which is known before the positions are.
 */
export const goesOutside = ({ warnings }: Pick<Scenario, "warnings">) =>
  warnings.some(({ code }) => outsideCodes.includes(code));

/**
 * Returns the values outside the known range, as marks of a chart and in words.
 *
 * @param known loaded extrapolation, by scenario
 */
export function useOutside(
  scenarios: readonly { id: string; title: string }[],
  known: ReadonlyMap<string, Extrapolation>,
  prepared: ChartAxis | undefined,
) {
  const displays = useDisplays();
  return useMemo(() => {
    const found = scenarios.flatMap(({ id, title }) => {
      const extrapolation = known.get(id);
      return extrapolation === undefined
        ? []
        : [{ id, title, extrapolation: withShownNames(extrapolation, displays) }];
    });
    return {
      marks: prepared
        ? found.flatMap(({ extrapolation, ...scenario }) => prepareOutside(extrapolation, prepared, scenario))
        : [],
      text: describeOutside(found),
    };
  }, [known, scenarios, prepared, displays]);
}
