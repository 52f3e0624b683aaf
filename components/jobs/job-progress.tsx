"use client";

import { formatInteger } from "#components/ui/format.ts";
import { Progress } from "#components/ui/progress.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { counted } from "#lib/contract/counted";
import type { Job } from "#lib/contract/jobs";
import { formatSeconds, jobTitles, secondsLeft } from "./job-text.ts";

/** Shows a running job's progress: bar, stage, rows and remaining time. */
export function JobProgress({ job }: { job: Job }) {
  const left = secondsLeft(job, useNow());
  return (
    <div className="min-w-44 space-y-1.5">
      <Progress value={job.status === "Pending" ? null : job.progress} label={jobTitles[job.type]} />
      <p className="figures flex justify-between gap-3 text-xs text-ink-faint">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {job.attempt > 1 && `Attempt ${job.attempt}: `}
          {job.message ?? job.stage ?? (job.status === "Pending" ? "Waiting" : "Working")}
        </span>
        <span className="whitespace-nowrap">
          {job.rows ? `${formatInteger(job.rows.processed)} of ${counted(job.rows.total, "row")} · ` : ""}
          {Math.floor(job.progress)} %{left !== null && ` · ${formatSeconds(left)} left`}
        </span>
      </p>
    </div>
  );
}
