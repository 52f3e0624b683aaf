"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { axisOf } from "#components/chart/axis.ts";
import { bandOf, columnOf } from "#components/chart/columns.ts";
import { baselineSeries } from "#components/chart/prepare-comparison.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { WhenSeen } from "#components/ui/when-seen.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { GroupsCard, groupLimit } from "./groups-card.tsx";
import { combineParams, openGroup, type PanelChoice, type PanelColumn, splitBy } from "./panel-state.ts";
import { useWeightColumns } from "./use-panel.ts";

/** Points of a small chart. Bars need only totals. */
export const SMALL_POINTS = 120;

type Props = {
  scenario: Scenario;
  choice: PanelChoice;
  columns: readonly PanelColumn[];
  onChange(change: Partial<PanelChoice>): void;
};

/** The parts of a scenario by the values of one column. Renders nothing for one series. */
export function ScenarioGroups(props: Props) {
  const by = splitBy(props.choice, props.columns);
  if (by === null) return null;
  return (
    <WhenSeen className="min-h-60">
      <Groups key={`${by} ${props.choice.parts}`} by={by} {...props} />
    </WhenSeen>
  );
}

function Groups({
  by,
  scenario: { projectId, id, checkpointId, title, color },
  choice,
  columns,
  onChange,
}: Props & { by: string }) {
  const [count, setCount] = useState<number | null>(null);
  const limit = groupLimit(choice, count);
  const maxPoints = choice.parts === "charts" ? SMALL_POINTS : 2;
  const weights = useWeightColumns(projectId, choice, [checkpointId]);
  const query = queryOf({ maxPoints, by, limit, where: choice.where, ...combineParams(choice, weights) });
  const chart = useQuery(queries.predictionChart(projectId, id, query));
  const calendar = useCalendar();
  const { data } = chart;
  const groups = useMemo(() => {
    if (!data) return undefined;
    const axis = axisOf(data, calendar);
    // Groups of another column are those of the former request.
    return data.groups?.flatMap(({ values, seriesCount, series: [one] }) =>
      by in values && one
        ? {
            value: values[by]!,
            seriesCount,
            total: one.total,
            difference: null,
            label: `Predictions of ${values[by] || "none"}`,
            bands: true,
            prepared: {
              ...axis,
              series: [baselineSeries({ id, title, color }, columnOf(one.values), bandOf(one))],
            },
          }
        : [],
    );
  }, [data, calendar, by, id, title, color]);
  return (
    <GroupsCard
      {...{ by, choice, weights, groups, limit, onChange }}
      query={chart}
      colors={{ total: color, difference: null }}
      onLimit={setCount}
      onOpen={(value) => onChange(openGroup(choice, { column: by, value }, columns))}
    />
  );
}
