import { defineRoute } from "#lib/api/define-route";
import { JobPath } from "#lib/api/path-params";
import { Job } from "#lib/contract/jobs";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { presentJob } from "#lib/domain/jobs/present-job";

export const POST = defineRoute({
  operationId: "cancelJob",
  tag: "Jobs",
  summary: "Cancel a job",
  description:
    "A pending job is `Cancelled` immediately. A running job stops shortly afterwards: poll it until its status changes. Deletions cannot be cancelled.",
  auth: "caller",
  params: JobPath,
  response: Job,
  etag: true,
  ifMatch: true,
  errors: ["job_not_cancellable"],
  records: ["job.cancelled", "job-updated?", "checkpoint-failed?"],
  run: async (ctx, { params }) => presentJob(await cancelJob(ctx, params, abandonOf)),
});
