"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { useCalendar, useDisplays, useTarget } from "#components/display/displays.tsx";
import { GROUPS_FIRST } from "#components/panel/groups-card.tsx";
import { openGroup, splitBy } from "#components/panel/panel-state.ts";
import { usePanelColumns } from "#components/panel/use-panel.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { quoted } from "#components/ui/format.ts";
import { Select } from "#components/ui/input.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { prepareWhy } from "#components/why/prepare-why.ts";
import { WHY_POINTS } from "#components/why/sizes.ts";
import { WhyParts } from "#components/why/why-parts.tsx";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, differenceQuery, explainedSpan, isSplitAtOnce } from "./compare-query.ts";
import { WhyGroups } from "./why-groups.tsx";

/** Explains the difference between a scenario and the baseline, by input, checkpoint and upstream predictions. */
export function WhyPanel({
  projectId,
  comparison,
  totalsSpan,
  state,
  onChange,
}: {
  projectId: string;
  comparison: Comparison;
  /** Span of the summary's totals if it is shorter than the shown one, so that both explain the same difference. */
  totalsSpan: { from: string; to: string } | null;
  state: CompareState;
  onChange(change: Partial<CompareState>): void;
}) {
  const target = useTarget();
  const displays = useDisplays();
  const calendar = useCalendar();
  const columns = usePanelColumns(projectId);
  const by = splitBy(state, columns);
  const { baselineId, scenarios } = comparison;
  const others = scenarios.filter(({ id }) => id !== baselineId);
  const baseline = scenarios.find(({ id }) => id === baselineId);
  const chosen = others.find(({ id }) => id === state.why) ?? others[0];
  const isRequested = chosen !== undefined && isSplitAtOnce(state, chosen.id, chosen.rowCount);
  const span = totalsSpan ?? explainedSpan(state, comparison);
  const difference = useQuery({
    ...queries.difference(
      projectId,
      chosen?.id ?? "",
      differenceQuery(span, baselineId, {
        maxPoints: WHY_POINTS,
        where: state.where,
        by,
        limit: by === null ? null : GROUPS_FIRST,
      }),
    ),
    enabled: isRequested,
  });
  const { data } = difference;
  // While another pair loads, the data still belongs to the previous pair.
  const current = data?.scenarioId === chosen?.id && data?.baselineId === baselineId ? data : undefined;
  const checkpoints = `${baseline?.checkpointLabel ?? "–"} → ${chosen?.checkpointLabel ?? "–"}`;
  const prepared = useMemo(
    () =>
      current && baseline && chosen
        ? prepareWhy(
            current,
            { baseline: quoted(baseline.title), scenario: quoted(chosen.title), checkpoints },
            { target, displays, calendar },
          )
        : null,
    [current, baseline, chosen, checkpoints, target, displays, calendar],
  );
  const groups = by === null ? undefined : current?.groups?.filter(({ values }) => by in values);
  if (!chosen || !baseline) return null;
  return (
    <Card>
      <CardHeader
        title="Why they differ"
        description={`Contribution of each input and checkpoint to the difference from ${quoted(baseline.title)}, over the span of the summary.`}
        actions={
          others.length > 1 && (
            <Select
              aria-label="Scenario to explain"
              className="!w-auto max-w-full sm:max-w-80"
              value={chosen.id}
              onChange={(event) => onChange({ why: event.target.value })}
              options={others.map(({ id, title }) => [id, title])}
            />
          )
        }
      />
      <div className="px-5 pb-5">
        {!isRequested && (
          <Button size="sm" onClick={() => onChange({ why: chosen.id })}>
            Explain the difference of {quoted(chosen.title)}
          </Button>
        )}
        {isRequested && !current && !difference.error && <SkeletonRows rows={4} />}
        {difference.error && <ErrorState error={difference.error} onRetry={difference.refetch} />}
        {prepared && <WhyParts prepared={prepared} />}
      </div>
      {by !== null && groups && groups.length > 0 && (
        <WhyGroups
          by={by}
          groups={groups}
          checkpoints={checkpoints}
          onOpen={(value) => onChange(openGroup(state, { column: by, value }, columns))}
        />
      )}
    </Card>
  );
}
