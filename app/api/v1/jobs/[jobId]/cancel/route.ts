import { Job } from "#lib/contract/jobs";
import { defineRoute } from "#lib/http/define-route";
import { JobPath } from "#lib/http/path-params";
import { cancelJob } from "#lib/jobs/cancel-job";
import { presentJob } from "#lib/jobs/present-job";
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
