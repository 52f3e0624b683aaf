"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import type { Scenario } from "#lib/contract/scenarios";
import { GROUPS_FIRST, GroupsCard } from "./groups-card.tsx";
import { type PanelChoice, splitBy } from "./panel-state.ts";

/** The totals of a scenario by the values of one column. Renders nothing for one series. */
export function ScenarioGroups({
  scenario: { projectId, id, color },
  choice,
  columns,
  onChange,
}: {
  scenario: Scenario;
  choice: PanelChoice;
  columns: readonly string[];
  onChange(choice: PanelChoice): void;
}) {
  const [limit, setLimit] = useState(GROUPS_FIRST);
  const by = splitBy(choice, columns);
  const query = queryOf({ maxPoints: 2, by, limit, where: choice.where });
  const chart = useQuery({ ...queries.predictionChart(projectId, id, query), enabled: by !== null });
  if (by === null) return null;
  const groups = chart.data?.groups?.filter(({ values }) => by in values);
  const bars = groups?.map(({ values, seriesCount, series: [one] }) => ({
    value: values[by]!,
    seriesCount,
    total: one?.total ?? null,
    difference: null,
  }));
  return (
    <GroupsCard
      {...{ by, choice, columns, bars, limit, onChange }}
      query={chart}
      colors={{ total: color, difference: null }}
      onLimit={setLimit}
    />
  );
}
