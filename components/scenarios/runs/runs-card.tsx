"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { queries } from "#components/api/queries.ts";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { statusTones } from "#components/jobs/job-text.ts";
import { dayText } from "#components/time/period.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatDateTime } from "#components/ui/format.ts";
import { Input } from "#components/ui/input.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { ScenarioRun } from "#lib/contract/scenario-runs";
import type { Scenario } from "#lib/contract/scenarios";
import type { RunChoice } from "./run-choice.ts";

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
  const target = useTarget();
  const calendar = useCalendar();
  const nameOf = useMemberNames();
  const show = (run: string) => onChoice({ run: run === scenario.runId ? null : run, asOf: null });
  return (
    <Card>
      <CardHeader
        title="Runs"
        description="Each run keeps its inputs and predictions. The last 24 are kept."
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
            {scenario.status === "Completed" && (
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
            ["Run", ({ createdAt }) => <Time at={createdAt} />],
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
    </Card>
  );
}

function ShowRun({ run, isShown, onShow }: { run: ScenarioRun; isShown: boolean; onShow(id: string): void }) {
  if (isShown) return <span className="text-ink-faint">Shown</span>;
  if (run.status !== "Completed") return null;
  return (
    <Button
      size="sm"
      aria-label={`Show the run of ${formatDateTime(run.createdAt)}`}
      onClick={() => onShow(run.id)}
    >
      Show
    </Button>
  );
}
