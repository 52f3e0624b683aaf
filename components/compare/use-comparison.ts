import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { prepareComparison } from "#components/chart/prepare-comparison.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { useOutside } from "#components/scenarios/use-outside.ts";
import { isRunName } from "#lib/contract/run-names";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, chartQuery, isComparable } from "./compare-query.ts";

const none: Comparison["scenarios"] = [];

/** Requests the shown span of a comparison and the whole of it, and prepares both for the chart. */
export function useComparison(projectId: string, state: CompareState) {
  const enabled = isComparable(state);
  const shown = useQuery({ ...queries.compare(projectId, chartQuery(state)), enabled });
  // Without zoom, this is the same response object.
  const whole = useQuery({
    ...queries.compare(projectId, chartQuery({ ...state, from: null, to: null })),
    enabled,
  });
  const calendar = useCalendar();
  const prepared = useMemo(
    () => shown.data && prepareComparison(shown.data, state.actuals, calendar),
    [shown.data, state.actuals, calendar],
  );
  const isWhole = whole.data === shown.data;
  const wholeAlone = useMemo(
    () => (isWhole || !whole.data ? undefined : prepareComparison(whole.data, state.actuals, calendar)),
    [isWhole, whole.data, state.actuals, calendar],
  );
  const compared = shown.data?.scenarios ?? none;
  const rowCountMax = Math.max(...compared.map(({ rowCount }) => rowCount));
  // Earlier runs may have lost their checkpoints, which hold the known range.
  const scenarios = useMemo(() => compared.filter(({ id }) => !isRunName(id)), [compared]);
  const extrapolations = useQuery({
    ...queries.extrapolations(
      projectId,
      scenarios.map(({ id }) => id),
    ),
    enabled: scenarios.length > 0,
  }).data;
  const known = useMemo(
    () => new Map(extrapolations?.scenarios.map((one) => [one.scenarioId, one])),
    [extrapolations],
  );
  const outside = useOutside(scenarios, known, prepared);
  const isExplicit = state.bucket !== "auto" && state.bucket !== "rows";
  return {
    shown,
    prepared,
    overview: isWhole ? prepared : wholeAlone,
    outside,
    /** Number of rows of the longest scenario, or of buckets if their unit is chosen. */
    finestCount: isExplicit && whole.data ? whole.data.pointCount : rowCountMax,
  };
}
