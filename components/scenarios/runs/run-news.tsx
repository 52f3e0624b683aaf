"use client";

import { useQuery } from "@tanstack/react-query";
import { newerModelText } from "#components/actuals/same-rows-text.ts";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useCalendar } from "#components/display/displays.tsx";
import { dayText } from "#components/time/period.ts";
import { Button } from "#components/ui/button.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { currentModelOf } from "../current-model.ts";

/** Says that rows or a model have arrived since a scenario's newest run. */
export function RunNews({ scenario, onRun }: { scenario: Scenario; onRun(): void }) {
  const { projectId, checkpointId, knownUntil } = scenario;
  const dataset = useQuery(queries.dataset(projectId)).data;
  const project = useQuery(queries.project(projectId)).data;
  const checkpoints = useQuery(queries.checkpoints(projectId)).data;
  const mayRun = useMay()("createScenarioRun");
  const calendar = useCalendar();
  const known = dataset?.lastTargetTimestamp ?? null;
  const hasRows = known !== null && knownUntil !== null && Date.parse(known) > Date.parse(knownUntil);
  const used = checkpoints?.find(({ id }) => id === checkpointId);
  const current = project && checkpoints ? currentModelOf(project, checkpoints) : null;
  const trainedAt = project?.currentModel?.trainedAt;
  const hasModel =
    current !== null &&
    used !== undefined &&
    used.modelId !== project?.currentModel?.id &&
    Date.parse(used.createdAt) < Date.parse(trainedAt ?? "");
  const newest = useQuery({
    ...queries.modelChanges(projectId, project?.currentModel?.id ?? ""),
    enabled: hasModel,
  }).data;
  if (!hasRows && !hasModel) return null;
  const news = [
    ...(hasRows
      ? [
          `The data now reaches until ${dayText(known, calendar)}; this run knew it until ${dayText(knownUntil, calendar)}.`,
        ]
      : []),
    ...(hasModel ? [newerModelText(newest, used.modelId ?? null)] : []),
  ];
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-sunken px-4 py-2.5 text-[13px]">
      <p className="min-w-0">{news.join(" ")}</p>
      {mayRun && (
        <Button size="sm" onClick={onRun}>
          Run again
        </Button>
      )}
    </div>
  );
}
