"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { GitCompareArrows, RotateCw } from "lucide-react";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { statusTones } from "#components/jobs/job-text.ts";
import { dayText } from "#components/time/period.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { formatDateTime } from "#components/ui/format.ts";
import { Input } from "#components/ui/input.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import { counted } from "#lib/contract/counted";
import { limits } from "#lib/contract/limits";
import { runName } from "#lib/contract/run-names";
import type { ScenarioRun } from "#lib/contract/scenario-runs";
import type { Scenario } from "#lib/contract/scenarios";
import type { RunChoice } from "./run-choice.ts";
import { MovedBar, StabilityNote } from "./stability.tsx";

/** Time by which a run is named: of its completion, as in comparisons. */
const timeOf = ({ completedAt, createdAt }: Pick<ScenarioRun, "completedAt" | "createdAt">) =>
  completedAt ?? createdAt;

/** Returns the comparison of runs, the oldest first, which is the baseline. */
function comparePage(
  { projectId, id }: Scenario,
  newestFirst: readonly ScenarioRun[],
  chosen: readonly string[],
): string {
  const names = newestFirst.filter((run) => chosen.includes(run.id)).map((run) => runName(id, run.id));
  return `/projects/${projectId}/scenarios/compare?ids=${names.toReversed().join()}`;
}

/** Lists the runs of a scenario. One of them, or the one as of a day, can be shown in place of the newest. */
export function RunsCard({
  scenario,
  shownRunId,
  choice,
  onChoice,
  onRun,
}: {
  /** The scenario with its newest run. */
  scenario: Scenario;
  /** Run that the page shows; undefined while it loads. */
  shownRunId: string | undefined;
  choice: RunChoice;
  onChoice(choice: RunChoice): void;
  onRun(): void;
}) {
  const runs = useInfiniteQuery(queries.runs(scenario.projectId, scenario.id));
  const runsKept = useQuery(queries.project(scenario.projectId)).data?.runsKept;
  const target = useTarget();
  const mayRun = useMay()("createScenarioRun");
  const calendar = useCalendar();
  const nameOf = useMemberNames();
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const done = (runs.data ?? []).filter(({ status }) => status === "Completed");
  // The newest two, until the user chooses others.
  const compared = done.filter(({ id }, at) => picked?.includes(id) ?? at < 2).map(({ id }) => id);
  const toggle = (id: string) =>
    setPicked(compared.includes(id) ? compared.filter((other) => other !== id) : [...compared, id]);
  const stability = useQuery({
    ...queries.stability(scenario.projectId, scenario.id),
    enabled: done.length > 1,
  }).data;
  const show = (run: string) => onChoice({ run: run === scenario.runId ? null : run, asOf: null });
  return (
    <Card>
      <CardHeader
        title="Runs"
        description={`Each run keeps its inputs and predictions.${runsKept === undefined ? "" : ` The last ${counted(runsKept, "run")} stay.`}`}
        actions={
          <span className="flex flex-wrap items-center gap-2">
            <label htmlFor="as-of" className="flex items-center gap-2 text-[13px]">
              As of
              <Input
                id="as-of"
                type="date"
                value={choice.asOf ?? ""}
                onChange={({ target: { value } }) => onChoice({ run: null, asOf: value || null })}
                className="!w-40"
              />
            </label>
            {compared.length >= limits.compareMin && (
              <ButtonLink size="sm" href={comparePage(scenario, done, compared)}>
                <GitCompareArrows className="size-3.5" /> Compare {compared.length} runs
              </ButtonLink>
            )}
            {scenario.status === "Completed" && mayRun && (
              <Button size="sm" onClick={onRun}>
                <RotateCw className="size-3.5" /> Run again
              </Button>
            )}
          </span>
        }
      />
      <QueryState query={runs} rows={2} />
      {runs.data && (
        <DataTable
          rows={runs.data}
          aria-label="Runs"
          keyOf={({ id }) => id}
          columns={[
            ...(done.length > 1
              ? [
                  [
                    <span key="compare" className="sr-only">
                      Compare
                    </span>,
                    ({ id, status, ...run }: ScenarioRun) =>
                      status === "Completed" && (
                        <Checkbox
                          aria-label={`Compare the run of ${formatDateTime(timeOf(run))}`}
                          checked={compared.includes(id)}
                          disabled={!compared.includes(id) && compared.length >= limits.compareMax}
                          onChange={() => toggle(id)}
                        />
                      ),
                    "w-0",
                  ] as const,
                ]
              : []),
            ["Run", (run) => <Time at={timeOf(run)} />],
            ["By", ({ createdBy }) => nameOf(createdBy), "max-sm:hidden"],
            [
              "Checkpoint",
              ({ checkpointLabel }) => (
                <span className="block truncate" title={checkpointLabel ?? undefined}>
                  {checkpointLabel ?? "—"}
                </span>
              ),
              "max-w-60",
            ],
            [
              "Known until",
              ({ knownUntil }) => (knownUntil === null ? "—" : dayText(knownUntil, calendar)),
              "max-sm:hidden",
            ],
            ...(stability && stability.rows > 0
              ? [
                  [
                    "Moved",
                    ({ id }: ScenarioRun) => <MovedBar stability={stability} runId={id} />,
                    "text-right",
                  ] as const,
                ]
              : []),
            [target.head("Total"), ({ summary }) => target.format(summary?.sum), "text-right"],
            ["Status", ({ status }) => <Badge tone={statusTones[status]}>{status}</Badge>],
            [
              <span key="actions" className="sr-only">
                Actions
              </span>,
              (run) => <ShowRun run={run} isShown={run.id === shownRunId} onShow={show} />,
              "text-right",
            ],
          ]}
        />
      )}
      <ShowMore list={runs}>Show more runs</ShowMore>
      {stability && stability.rows > 0 && <StabilityNote stability={stability} />}
    </Card>
  );
}

function ShowRun({ run, isShown, onShow }: { run: ScenarioRun; isShown: boolean; onShow(id: string): void }) {
  if (isShown) return <span className="text-ink-faint">Shown</span>;
  if (run.status !== "Completed") return null;
  return (
    <Button
      size="sm"
      aria-label={`Show the run of ${formatDateTime(timeOf(run))}`}
      onClick={() => onShow(run.id)}
    >
      Show
    </Button>
  );
}
