import { defineRoute } from "#lib/api/define-route";
import { JobPath } from "#lib/api/path-params";
import { Job } from "#lib/contract/jobs";
import { findJob } from "#lib/domain/jobs/find-job";
import { presentJob } from "#lib/domain/jobs/present-job";

export const GET = defineRoute({
  operationId: "getJob",
  tag: "Jobs",
  summary: "Get a job",
  description:
    "Poll the job until its status is `Completed`, `Failed` or `Cancelled`. Until then, `progress`, `stage` and `rows` show its progress.",
  auth: "caller",
  params: JobPath,
  response: Job,
  etag: true,
  run: async (ctx, { params }) => presentJob(await findJob(ctx, params.jobId)),
});
