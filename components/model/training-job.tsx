"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { JobMail } from "#components/jobs/job-mail.tsx";
import { JobProgress } from "#components/jobs/job-progress.tsx";
import { isActive, jobTitles } from "#components/jobs/job-text.ts";
import { useJobAction } from "#components/jobs/use-job-action.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import type { Job } from "#lib/contract/jobs";

/** Returns the newest training or import job, or null. */
export function useModelJob(projectId: string): Job | null {
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const all = jobs.data ?? [];
  return all.find(({ type }) => type === "TrainModel" || type === "ImportModel") ?? null;
}

/** Shows the progress of the running job, or the reason why the last one failed. */
export function TrainingJob({ job }: { job: Job }) {
  const may = useMay();
  const cancel = useJobAction(job.projectId, "cancel");
  const retry = useJobAction(job.projectId, "retry");
  if (isActive(job)) {
    return (
      <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 border-accent/40 p-5">
        <span className="font-medium">{jobTitles[job.type]}</span>
        <div className="min-w-56 flex-1">
          <JobProgress job={job} />
        </div>
        <JobMail job={job} />
        {may("cancelJob") && (
          <Button size="sm" busy={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
            Cancel
          </Button>
        )}
      </Card>
    );
  }
  if (job.status !== "Failed") return null;
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 border-bad/40 p-5">
      <div role="alert" className="min-w-0 text-[13px]">
        <p className="font-medium">
          {job.type === "ImportModel" ? "The import failed" : "The last training failed"}
        </p>
        <p className="mt-0.5 [overflow-wrap:anywhere] whitespace-pre-line text-bad">
          {job.error?.message ?? "No reason was given."}
        </p>
      </div>
      {may("retryJob") && (
        <Button size="sm" busy={retry.isPending} onClick={() => retry.mutate(job.id)}>
          Try again
        </Button>
      )}
    </Card>
  );
}
