import type { Job } from "#lib/contract/jobs";

export function jobsOf(jobs: readonly Job[]): ReadonlyMap<string, Job> {
  return new Map(jobs.map((job) => [job.id, job]));
}
