"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import type { BucketChoice } from "#components/chart/bucket-state.ts";
import { WarningList } from "#components/csv/issue-list.tsx";
import { useCalendar } from "#components/display/displays.tsx";
import { dayText, unknownCalendar } from "#components/time/period.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatDateTime } from "#components/ui/format.ts";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { DownloadButton } from "../download-button.tsx";
import { ScenarioChart } from "../scenario-chart.tsx";
import { ScenarioFacts } from "../scenario-facts.tsx";
import { ScenarioRowsCard } from "../scenario-rows.tsx";
import { WhyCard } from "../why-card.tsx";
import type { RunChoice } from "./run-choice.ts";

/** Shows an earlier run of a scenario, which can be read but not changed. */
export function PastRun({
  projectId,
  scenarioId,
  query,
  choice,
  buckets,
  where,
  onBuckets,
  onNewest,
}: {
  projectId: string;
  scenarioId: string;
  /** Query of the API that chooses the run. */
  query: string;
  choice: RunChoice;
  buckets: BucketChoice;
  /** Of many series, those to include; null for one series. */
  where: readonly string[] | null;
  onBuckets(change: Partial<BucketChoice>): void;
  onNewest(): void;
}) {
  const past = useQuery(queries.scenarioRun(projectId, scenarioId, query));
  const calendar = useCalendar();
  const [row, setRow] = useState(1);
  const { asOf } = choice;
  const day = asOf === null ? null : dayText(asOf, unknownCalendar);
  if (past.error instanceof ApiError && past.error.status === 404) {
    return (
      <Note onNewest={onNewest}>
        {day === null ? "This run no longer exists." : `No run had completed by the end of ${day}.`}
      </Note>
    );
  }
  const { data } = past;
  if (!data) {
    return past.error ? (
      <ErrorState error={past.error} onRetry={past.refetch} />
    ) : (
      <SkeletonCard className="h-96" />
    );
  }
  const known =
    data.knownUntil === null ? "" : `, with rows known until ${dayText(data.knownUntil, calendar)}`;
  const made = data.completedAt === null ? "an earlier run" : `run of ${formatDateTime(data.completedAt)}`;
  return (
    <>
      <Note onNewest={onNewest}>
        {day === null ? "" : `As of ${day}: `}
        {made}
        {known}
        {data.checkpointLabel === null ? "" : `, on checkpoint “${data.checkpointLabel}”`}.
      </Note>
      <ScenarioChart
        scenario={data}
        run={data.runId}
        choice={buckets}
        where={where ?? []}
        onChoice={onBuckets}
        edited={null}
        actions={<DownloadButton scenario={data} run={data.runId} choice={buckets} />}
      />
      <WarningList warnings={data.warnings} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
        <ScenarioRowsCard
          scenario={data}
          run={data.runId}
          row={row}
          series={where && { where }}
          onRow={setRow}
        />
        <WhyCard scenario={data} run={data.runId} row={row} onRow={setRow} />
      </div>
      <Card>
        <CardHeader title="Input" />
        <ScenarioFacts scenario={data} />
      </Card>
    </>
  );
}

function Note({ children, onNewest }: { children: ReactNode; onNewest(): void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-warn-wash px-4 py-2.5 text-[13px] text-warn"
    >
      <p className="min-w-0">{children}</p>
      <Button size="sm" onClick={onNewest}>
        Show the newest run
      </Button>
    </div>
  );
}
