import type { Tone } from "#components/ui/badge.tsx";
import type { Job, JobStatus, JobType } from "#lib/contract/jobs";

export const jobTitles: Record<JobType, string> = {
  CreateScenario: "Run scenario",
  CreateCheckpoint: "Create checkpoint",
  DeleteCheckpoint: "Delete checkpoint",
  TrainModel: "Train model",
  ImportModel: "Import model",
  DeleteScenario: "Delete scenario",
  DeleteProject: "Delete project",
};

export const statusTones: Record<JobStatus, Tone> = {
  Pending: "neutral",
  Running: "accent",
  Completed: "good",
  Failed: "bad",
  Cancelled: "warn",
};

export const isActive = (job: Pick<Job, "status">) => job.status === "Pending" || job.status === "Running";

/**
 * Estimates the remaining seconds from the pace so far. Returns null before an estimate is possible, and for retries
 * because their start time is unknown.
 *
 * @param now present time from `useNow`
 */
export function secondsLeft(job: Job, now: number | null): number | null {
  if (now === null || job.status !== "Running" || !job.startedAt || job.attempt > 1 || job.progress < 3)
    return null;
  const spent = (now - new Date(job.startedAt).getTime()) / 1_000;
  return Math.max(0, (spent * (100 - job.progress)) / job.progress);
}

export function formatSeconds(seconds: number): string {
  // Compares rounded values: 59.6 seconds are 1 minute, not 60 seconds.
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 59.5 * 60) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

/** Returns the time that a job took, or has taken so far at the time from `useNow`. */
export function jobDuration(job: Job, now: number | null): string {
  const end = job.finishedAt ? new Date(job.finishedAt).getTime() : now;
  if (!job.startedAt || end === null) return "–";
  return formatSeconds((end - new Date(job.startedAt).getTime()) / 1_000);
}
