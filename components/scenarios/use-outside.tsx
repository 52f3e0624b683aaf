"use client";

import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries";
import type { PreparedComparison } from "#components/chart/prepare-comparison";
import { describeOutside, prepareOutside } from "#components/chart/prepare-outside";
import type { Extrapolation } from "#lib/contract/extrapolation";

type Shown = { id: string; title: string; color: string };

/** Where scenarios are outside of what their models were trained on: the marks of a chart, and the same in words. */
export function useOutside(
  projectId: string,
  scenarios: readonly Shown[],
  prepared: PreparedComparison | undefined,
) {
  const answers = useQueries({
    queries: scenarios.map(({ id }) => queries.extrapolation(projectId, id)),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => {
    const found = scenarios.flatMap((scenario, index) => {
      const extrapolation: Extrapolation | undefined = answers[index];
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
  }, [answers, scenarios, prepared]);
}
