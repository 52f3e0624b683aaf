"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { BANDS_MAX } from "#components/chart/lines.ts";
import { prepareComparison } from "#components/chart/prepare-comparison.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { GroupsCard, groupLimit } from "#components/panel/groups-card.tsx";
import { combineParams, openGroup, type PanelColumn, splitBy } from "#components/panel/panel-state.ts";
import { SMALL_POINTS } from "#components/panel/scenario-groups.tsx";
import { useWeightColumns } from "#components/panel/use-panel.ts";
import { Select } from "#components/ui/input.tsx";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, compareQuery } from "./compare-query.ts";

/** The totals of the baseline and the differences of a scenario from it, by the values of one column. Renders nothing for one series. */
export function ComparedGroups({
  projectId,
  comparison: { baselineId, scenarios },
  totalsSpan,
  state,
  columns,
  onChange,
}: {
  projectId: string;
  comparison: Comparison;
  /** Span of the summary's totals if it is shorter than the shown one, so that both have the same differences. */
  totalsSpan: { from: string; to: string } | null;
  state: CompareState;
  columns: readonly PanelColumn[];
  onChange(change: Partial<CompareState>): void;
}) {
  const [count, setCount] = useState<{ parts: string; limit: number } | null>(null);
  const limit = groupLimit(state, count?.parts === state.parts ? count.limit : null);
  const by = splitBy(state, columns);
  const others = scenarios.filter(({ id }) => id !== baselineId);
  const chosen = others.find(({ id }) => id === state.why) ?? others[0];
  const baseline = scenarios.find(({ id }) => id === baselineId);
  const span = totalsSpan ? { ...totalsSpan, bucket: "rows" as const } : {};
  const isCharts = state.parts === "charts";
  const weights = useWeightColumns(
    projectId,
    state,
    scenarios.map(({ checkpointId }) => checkpointId),
  );
  const combined = combineParams(state, weights);
  const rest = { maxPoints: isCharts ? SMALL_POINTS : 2, by: by ?? "", limit, ...combined };
  const query = compareQuery(isCharts ? state : { ...state, ...span }, rest);
  const compared = useQuery({ ...queries.compare(projectId, query), enabled: by !== null });
  const calendar = useCalendar();
  const { data } = compared;
  const groups = useMemo(
    () =>
      data?.groups?.flatMap(({ values, seriesCount, series }) => {
        if (by === null || !chosen || !(by in values)) return [];
        const of = (id: string) => series.find(({ scenarioId }) => scenarioId === id);
        return {
          value: values[by]!,
          seriesCount,
          total: of(baselineId)?.total ?? null,
          difference: of(chosen.id)?.totalDifference ?? null,
          label: `Predictions of ${values[by] || "none"} by each scenario`,
          bands: state.bands && data.scenarios.length <= BANDS_MAX,
          prepared: prepareComparison({ ...data, series }, false, calendar),
        };
      }),
    [data, by, chosen, baselineId, calendar, state.bands],
  );
  if (by === null || !chosen || !baseline) return null;
  return (
    <GroupsCard
      {...{ by, weights, groups, limit }}
      choice={state}
      query={compared}
      colors={{ total: baseline.color, difference: chosen.color }}
      actions={
        others.length > 1 &&
        !isCharts && (
          <Select
            aria-label="Scenario to split"
            className="!w-auto max-w-full sm:max-w-80"
            value={chosen.id}
            onChange={({ target }) => onChange({ why: target.value })}
            options={others.map(({ id, title }) => [id, title])}
          />
        )
      }
      onLimit={(limit) => setCount({ parts: state.parts, limit })}
      onOpen={(value) => onChange(openGroup(state, { column: by, value }, columns))}
      onChange={onChange}
    />
  );
}
