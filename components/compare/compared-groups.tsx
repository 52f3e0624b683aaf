"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { GROUPS_FIRST, GroupsCard } from "#components/panel/groups-card.tsx";
import { splitBy } from "#components/panel/panel-state.ts";
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
  columns: readonly string[];
  onChange(change: Partial<CompareState>): void;
}) {
  const [limit, setLimit] = useState(GROUPS_FIRST);
  const by = splitBy(state, columns);
  const others = scenarios.filter(({ id }) => id !== baselineId);
  const chosen = others.find(({ id }) => id === state.why) ?? others[0];
  const baseline = scenarios.find(({ id }) => id === baselineId);
  const span = totalsSpan ? { ...totalsSpan, bucket: "rows" as const } : {};
  const query = compareQuery({ ...state, ...span }, { maxPoints: 2, by: by ?? "", limit });
  const compared = useQuery({ ...queries.compare(projectId, query), enabled: by !== null });
  if (by === null || !chosen || !baseline) return null;
  const groups = compared.data?.groups?.filter(({ values }) => by in values);
  const bars = groups?.map(({ values, seriesCount, series }) => {
    const of = (id: string) => series.find(({ scenarioId }) => scenarioId === id);
    return {
      value: values[by]!,
      seriesCount,
      total: of(baselineId)?.total ?? null,
      difference: of(chosen.id)?.totalDifference ?? null,
    };
  });
  return (
    <GroupsCard
      {...{ by, columns, bars, limit }}
      choice={state}
      query={compared}
      colors={{ total: baseline.color, difference: chosen.color }}
      actions={
        others.length > 1 && (
          <Select
            aria-label="Scenario to split"
            className="!w-auto max-w-full sm:max-w-80"
            value={chosen.id}
            onChange={({ target }) => onChange({ why: target.value })}
            options={others.map(({ id, title }) => [id, title])}
          />
        )
      }
      onLimit={setLimit}
      onChange={onChange}
    />
  );
}
