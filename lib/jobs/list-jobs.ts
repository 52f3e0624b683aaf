import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobStatus, JobType } from "#lib/contract/jobs";
import type { JobRow } from "./job-run.ts";

export type JobFilter = {
  projectId: string;
  status?: readonly JobStatus[] | undefined;
  type?: readonly JobType[] | undefined;
  limit: number;
  /** The last job of the page before. */
  afterId?: string | undefined;
};

/** A project's jobs, newest first, and whether there are more. */
export async function listJobs(
  db: Database,
  { projectId, status, type, limit, afterId }: JobFilter,
): Promise<{ jobs: JobRow[]; hasMore: boolean }> {
  const rows = await db
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, projectId),
        status && inArray(jobs.status, [...status]),
        type && inArray(jobs.type, [...type]),
        // The last job's own time is looked up: a cursor in milliseconds would lose its microseconds.
        afterId === undefined
          ? undefined
          : sql`(${jobs.createdAt}, ${jobs.id}) < (select created_at, id from jobs where id = ${afterId} and project_id = ${projectId})`,
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(limit + 1);
  return { jobs: rows.slice(0, limit), hasMore: rows.length > limit };
}
