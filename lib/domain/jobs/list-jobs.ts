import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { type Page, type PageRequest, Paging } from "#db/page";
import { jobs } from "#db/schema/jobs";
import type { JobStatus, JobType } from "#lib/contract/jobs";
import type { JobRow } from "#lib/platform/jobs/job-run";

type JobFilter = PageRequest & {
  projectId: string;
  status?: readonly JobStatus[] | undefined;
  type?: readonly JobType[] | undefined;
};

/** Returns a project's jobs, newest first. */
export async function listJobs(
  db: Database,
  { projectId, status, type, ...request }: JobFilter,
): Promise<Page<JobRow>> {
  const paging = new Paging([jobs.createdAt, jobs.id], request);
  const rows = await db
    .select({ job: jobs, position: paging.position })
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, projectId),
        status && inArray(jobs.status, [...status]),
        type && inArray(jobs.type, [...type]),
        paging.where,
      ),
    )
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ job }) => job);
}
