"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { Link } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import type { Job } from "#lib/contract/jobs";
import { JobMail } from "./job-mail.tsx";
import { JobProgress } from "./job-progress.tsx";
import { isActive, jobDuration, jobTitles, statusTones } from "./job-text.ts";
import { useJobAction } from "./use-job-action.ts";

/** Returns the path of what a job makes, within the project, and the text of its link; null without a page. */
function subjectOf(job: Job, title: string | undefined): [path: string, text: string] | null {
  if (job.scenarioId && job.type === "CreateScenario")
    return [`scenarios/${job.scenarioId}`, title ?? "Open scenario"];
  if (job.checkpointId && job.type === "CreateCheckpoint")
    return [`checkpoints?open=${job.checkpointId}`, title ?? "Checkpoints"];
  return job.modelId ? ["model", "Open model"] : null;
}

function JobRow({ job, title }: { job: Job; title: string | undefined }) {
  const may = useMay();
  const cancel = useJobAction(job.projectId, "cancel");
  const retry = useJobAction(job.projectId, "retry");
  const now = useNow();
  const [path, text] = subjectOf(job, title) ?? [];
  return (
    <tr>
      <Td className="min-w-40">
        <span className="font-medium">{jobTitles[job.type]}</span>
        <span className="block text-xs [overflow-wrap:anywhere]">
          {path && (
            <Link
              className="rounded-sm text-accent hover:underline"
              href={`/projects/${job.projectId}/${path}`}
            >
              {text}
            </Link>
          )}
        </span>
      </Td>
      <Td>
        <Badge tone={statusTones[job.status]}>{job.status}</Badge>
      </Td>
      <Td className="w-2/5 min-w-56">
        {isActive(job) && (
          <div className="space-y-2">
            <JobProgress job={job} />
            <JobMail job={job} />
          </div>
        )}
        {job.error && (
          <span className="[overflow-wrap:anywhere] whitespace-pre-line text-bad">{job.error.message}</span>
        )}
        {job.status === "Completed" && <span className="text-ink-faint">{job.message}</span>}
      </Td>
      <Td className="text-ink-faint">
        <Time at={job.createdAt} />
      </Td>
      <Td className="figures text-right text-ink-faint">
        {jobDuration(job, now)}
        {job.attempt > 1 && <span className="block text-xs">attempt {job.attempt}</span>}
      </Td>
      <Td className="text-right">
        {isActive(job) && may("cancelJob") && (
          <Button size="sm" busy={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
            Cancel
          </Button>
        )}
        {(job.status === "Failed" || job.status === "Cancelled") && may("retryJob") && (
          <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate(job.id)}>
            Retry
          </Button>
        )}
      </Td>
    </tr>
  );
}

/** Maps listed scenarios and checkpoints to their titles. */
function useTitles(projectId: string): ReadonlyMap<string, string> {
  const scenarios = useInfiniteQuery(queries.scenarios(projectId)).data;
  const checkpoints = useQuery(queries.checkpoints(projectId)).data;
  return new Map([
    ...(scenarios ?? []).map(({ id, title }) => [id, title] as const),
    ...(checkpoints ?? []).map(({ id, label }) => [id, label] as const),
  ]);
}

export function JobTable({ projectId }: { projectId: string }) {
  const may = useMay();
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const titles = useTitles(projectId);
  const rows = jobs.data ?? [];
  return (
    <>
      <PageHeader
        title="Jobs"
        description={
          may("cancelJob")
            ? "Background work. You can leave the page, and cancel or retry jobs."
            : "Background work. You can leave the page."
        }
      />
      <Card>
        <QueryState query={jobs} />
        {jobs.data && rows.length === 0 && (
          <EmptyState
            title="No jobs yet"
            drawing={<ForkDrawing />}
            action={
              may("createScenario") && (
                <ButtonLink href={`/projects/${projectId}/scenarios?open=new-scenario`}>
                  New scenario
                </ButtonLink>
              )
            }
          >
            {may("createScenario")
              ? "Train a model or create a scenario to start the first job."
              : "Analysts and admins of the project start jobs."}
          </EmptyState>
        )}
        {rows.length > 0 && (
          <Table>
            <thead>
              <tr>
                <Th>Job</Th>
                <Th>Status</Th>
                <Th>Progress</Th>
                <Th>Created</Th>
                <Th className="text-right">Duration</Th>
                <HiddenTh>Actions</HiddenTh>
              </tr>
            </thead>
            <tbody>
              {rows.map((job) => (
                <JobRow key={job.id} job={job} title={titles.get(job.scenarioId ?? job.checkpointId ?? "")} />
              ))}
            </tbody>
          </Table>
        )}
        <ShowMore list={jobs}>Show older jobs</ShowMore>
      </Card>
    </>
  );
}
