"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { actualsByTime, stretchOf } from "./row-text.ts";

/**
 * Returns the actuals of a page of rows.
 *
 * @returns `isAsked` while it is unknown whether any row has an actual, and `isKnown` if one has; `at` returns the
 *   actual at a row's time (ISO 8601), or undefined while the page is loading
 */
export function useActualRows(projectId: string, id: string, page: ScenarioRows | undefined) {
  const all = useQuery(queries.actuals(projectId, id));
  const isKnown = all.data !== undefined && all.data.errors !== null;
  const stretch = stretchOf(page?.rows ?? []);
  const { data, error } = useQuery({
    ...queries.actualRows(projectId, id, stretch?.from ?? "", stretch?.to ?? ""),
    enabled: isKnown && stretch !== null,
  });
  const byTime = useMemo(() => actualsByTime(data), [data]);
  return {
    isAsked: all.isPending && all.failureCount === 0,
    isKnown,
    error,
    at: (time: string | null): number | null | undefined => {
      if (time === null) return null;
      return data === undefined ? undefined : (byTime.get(time) ?? null);
    },
  };
}
