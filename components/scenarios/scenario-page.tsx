"use client";

import { useQuery } from "@tanstack/react-query";
import { GitCompareArrows, Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { ActualsCard } from "#components/actuals/actuals-card.tsx";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { bucketLink, bucketParams, bucketParsers } from "#components/chart/bucket-state.ts";
import { useRememberedBuckets } from "#components/chart/use-remembered-buckets.ts";
import { WarningList } from "#components/csv/issue-list.tsx";
import { useCalendar } from "#components/display/displays.tsx";
import { JobMail } from "#components/jobs/job-mail.tsx";
import { JobProgress } from "#components/jobs/job-progress.tsx";
import { isActive, statusTones } from "#components/jobs/job-text.ts";
import { OutlookCard } from "#components/outlook/outlook-card.tsx";
import { OverridesCard } from "#components/overrides/overrides-card.tsx";
import { PanelPath } from "#components/panel/panel-path.tsx";
import { type PanelChoice, panelParsers, splitBy } from "#components/panel/panel-state.ts";
import { ScenarioGroups } from "#components/panel/scenario-groups.tsx";
import { usePanelColumns } from "#components/panel/use-panel.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { Link } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, SkeletonCard } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { DownloadButton } from "./download-button.tsx";
import { LivePredictions } from "./edit-inputs/live-predictions.tsx";
import { GeneratedInputsCard } from "./generated-inputs.tsx";
import { runParsers, runQuery } from "./runs/run-choice.ts";
import { RunNews } from "./runs/run-news.tsx";
import { RunsCard } from "./runs/runs-card.tsx";
import { chartPoints, ScenarioChart } from "./scenario-chart.tsx";
import { ScenarioFacts } from "./scenario-facts.tsx";
import { ScenarioNotFound } from "./scenario-not-found.tsx";
import { ScenarioRowsCard } from "./scenario-rows.tsx";
import { StalePinnedCheckpoints } from "./stale-pinned-checkpoints.tsx";
import { WhyCard } from "./why-card.tsx";

/** Loads the panels separately: they lie below the first screen. */
const SensitivityCard = dynamic(
  async () => (await import("./sensitivity/sensitivity-card.tsx")).SensitivityCard,
  { ssr: false, loading: () => <SkeletonCard className="h-96" /> },
);

const GoalSeekCard = dynamic(async () => (await import("./goal-seek/goal-seek-card.tsx")).GoalSeekCard, {
  ssr: false,
  loading: () => <SkeletonCard className="h-60" />,
});

const EditScenarioDialog = dynamic(() => import("./edit-scenario-dialog.tsx"), { ssr: false });
const RunAgainDialog = dynamic(() => import("./run-again-dialog.tsx"), { ssr: false });
const PastRun = dynamic(async () => (await import("./runs/past-run.tsx")).PastRun, {
  ssr: false,
  loading: () => <SkeletonCard className="h-96" />,
});
const NewScenarioDialog = dynamic(() => import("./new-scenario-dialog.tsx"), { ssr: false });

/** The same list each time, so that the chart is not prepared again. */
const noSeries: readonly string[] = [];

export function ScenarioPage({ projectId, scenarioId }: { projectId: string; scenarioId: string }) {
  const may = useMay();
  const scenario = useQuery(queries.scenario(projectId, scenarioId));
  // The list of jobs has only the newest ones.
  const isOpen = scenario.data !== undefined && scenario.data.status !== "Completed";
  const jobOfOpen = useQuery({ ...queries.job(projectId, scenario.data?.jobId ?? ""), enabled: isOpen });
  const generated = useQuery({
    ...queries.generatedInputs(projectId, scenarioId),
    enabled: scenario.data?.source === "Generated" && scenario.data.status === "Completed",
  });
  const inputs = generated.data?.features ?? [];
  const [choice, setChoice] = useRememberedBuckets(
    projectId,
    ...useQueryStates(bucketParsers, { history: "replace" }),
  );
  const [row, setRow] = useState(1);
  const columns = usePanelColumns(projectId);
  const [panel, setPanel] = useQueryStates(panelParsers, { history: "push" });
  const series = columns.length > 0 ? { where: panel.where } : null;
  const where = series?.where ?? noSeries;
  const onPanel = (change: Partial<PanelChoice>) => void setPanel(change);
  const [dialog, setDialog] = useState<"none" | "adjust" | "replay" | "edit" | "run">("none");
  const [runChoice, setRunChoice] = useQueryStates(runParsers, { history: "push" });
  const { timezone } = useCalendar();
  const isNewest = runChoice.run !== null && runChoice.run === scenario.data?.runId;
  const past = isNewest ? null : runQuery(runChoice, timezone);
  const pastRun = useQuery({
    ...queries.scenarioRun(projectId, scenarioId, past ?? ""),
    enabled: past !== null,
  });
  if (scenario.isPending) {
    return (
      <div role="status" aria-label="Loading" className="space-y-6">
        <Skeleton className="h-10 w-1/2" />
        <SkeletonCard className="h-96" />
      </div>
    );
  }
  if (scenario.error instanceof ApiError && scenario.error.status === 404) return <ScenarioNotFound />;
  const { data } = scenario;
  // A failed refetch leaves the page and the edits on it in place.
  if (!data) return <ErrorState error={scenario.error} onRetry={scenario.refetch} />;
  const job = isOpen ? jobOfOpen.data : undefined;
  const isCompleted = data.status === "Completed";
  // The page shows either the newest run or an earlier one.
  const done = isCompleted && past === null;
  const path = `/projects/${projectId}/scenarios`;
  return (
    <>
      <PageHeader
        title={
          <span className="flex items-center gap-3">
            <ColorDot color={data.color} />
            <span dir="auto" className="min-w-0">
              {data.title}
            </span>
            <Badge tone={statusTones[data.status]}>{data.status}</Badge>
            {data.archived && <Badge>Archived</Badge>}
          </span>
        }
        description={data.description}
        actions={
          <>
            {may("updateScenario") && (
              <Button onClick={() => setDialog("edit")}>
                <Pencil className="size-4" /> Edit
              </Button>
            )}
            {done && (
              <>
                <DownloadButton scenario={data} choice={choice} />
                <ButtonLink
                  href={`${path}/compare?ids=${scenarioId}&baselineId=${scenarioId}${bucketLink(choice, "&")}`}
                >
                  <GitCompareArrows className="size-4" /> Compare
                </ButtonLink>
                {may("createScenario") && (
                  <>
                    <Button onClick={() => setDialog("replay")}>Run on another checkpoint</Button>
                    <Button look="primary" onClick={() => setDialog("adjust")}>
                      Adjust a copy
                    </Button>
                  </>
                )}
              </>
            )}
          </>
        }
      />
      <div className="space-y-6">
        {job && isActive(job) && (
          <Card className="space-y-3 p-5">
            <JobProgress job={job} />
            <JobMail job={job} />
          </Card>
        )}
        {job?.error && (
          <Card className="border-bad/40 p-5">
            <p role="alert" className="text-[13px] text-bad">
              {job.error.message}
            </p>
          </Card>
        )}
        {done && <RunNews scenario={data} onRun={() => setDialog("run")} />}
        {done && <StalePinnedCheckpoints scenario={data} />}
        {past !== null && (
          <PastRun
            projectId={projectId}
            scenarioId={scenarioId}
            query={past}
            choice={runChoice}
            buckets={choice}
            where={series && panel.where}
            onBuckets={setChoice}
            onNewest={() => void setRunChoice({ run: null, asOf: null })}
          />
        )}
        {done && (
          <>
            <PanelPath choice={panel} columns={columns} onChange={onPanel} />
            <LivePredictions
              projectId={projectId}
              scenarios={[data]}
              baselineId={scenarioId}
              points={{
                maxPoints: chartPoints,
                ...(data.firstTimestamp !== null && bucketParams(choice)),
              }}
              choice={panel}
            >
              {(edited, toggle) => (
                <ScenarioChart
                  scenario={data}
                  choice={choice}
                  where={where}
                  onChoice={setChoice}
                  edited={edited}
                  actions={toggle}
                />
              )}
            </LivePredictions>
            <ScenarioGroups scenario={data} choice={panel} columns={columns} onChange={onPanel} />
          </>
        )}
        {done && past === null && data.firstTimestamp !== null && <OverridesCard scenario={data} />}
        {past === null && <WarningList warnings={data.warnings} />}
        {done && (
          <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
            <ScenarioRowsCard scenario={data} row={row} series={series} onRow={setRow} />
            <WhyCard scenario={data} row={row} onRow={setRow} />
          </div>
        )}
        {done && <SensitivityCard scenario={data} where={where} />}
        {done && <GoalSeekCard key={where.join()} scenario={data} where={where} />}
        {done && inputs.length > 0 && <GeneratedInputsCard inputs={inputs} />}
        {done && past === null && data.firstTimestamp !== null && (
          <OutlookCard scenario={data} where={where} />
        )}
        {done && <ActualsCard scenario={data} where={where} by={splitBy(panel, columns)} />}
        {isCompleted && (
          <RunsCard
            scenario={data}
            shownRunId={past === null ? data.runId : pastRun.data?.runId}
            choice={runChoice}
            onChoice={(next) => void setRunChoice(next)}
            onRun={() => setDialog("run")}
          />
        )}
        <TagsAndNotes scenario={data} />
        {past === null && (
          <Card>
            <CardHeader title="Input" />
            <ScenarioFacts scenario={data} />
          </Card>
        )}
      </div>
      {dialog === "edit" && <EditScenarioDialog scenario={data} onClose={() => setDialog("none")} />}
      {dialog === "run" && (
        <RunAgainDialog projectId={projectId} scenarios={[data]} onClose={() => setDialog("none")} />
      )}
      {(dialog === "adjust" || dialog === "replay") && (
        <NewScenarioDialog
          projectId={projectId}
          base={data}
          isReplay={dialog === "replay"}
          onClose={() => setDialog("none")}
        />
      )}
    </>
  );
}

/** Shows notes and tags. Each tag leads to the scenarios that have it. */
function TagsAndNotes({ scenario: { projectId, tags, notes } }: { scenario: Scenario }) {
  if (tags.length === 0 && !notes) return null;
  return (
    <Card>
      <CardHeader title="Tags and notes" />
      <div className="space-y-3 px-5 pb-5 text-[13px]">
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-x-3 gap-y-1">
            {tags.map((tag) => (
              <li key={tag} className="min-w-0">
                <Link
                  dir="auto"
                  className="rounded-sm text-accent underline [overflow-wrap:anywhere]"
                  href={`/projects/${projectId}/scenarios?tag=${encodeURIComponent(tag)}`}
                >
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {notes && (
          <p dir="auto" className="whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
            {notes}
          </p>
        )}
      </div>
    </Card>
  );
}
