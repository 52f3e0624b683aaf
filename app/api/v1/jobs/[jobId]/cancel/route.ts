import { defineRoute } from "#lib/api/define-route";
import { JobPath } from "#lib/api/path-params";
import { Job } from "#lib/contract/jobs";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { presentJob } from "#lib/domain/jobs/present-job";
import { abandonOf } from "#lib/worker/handler-registry";

export const POST = defineRoute({
  operationId: "cancelJob",
  tag: "Jobs",
  summary: "Cancel a job",
  description:
    "A job that waits is Cancelled at once; one that runs stops shortly afterwards, so poll it. Deletions cannot be cancelled.",
  auth: "caller",
  params: JobPath,
  response: Job,
  errors: ["job_not_cancellable"],
  run: async (ctx, { params }) => presentJob(await cancelJob(ctx, params, abandonOf)),
});
