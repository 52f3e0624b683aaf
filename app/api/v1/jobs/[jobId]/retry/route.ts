import { defineRoute } from "#lib/api/define-route";
import { JobPath } from "#lib/api/path-params";
import { JobAccepted } from "#lib/contract/jobs";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { retryOf } from "#lib/worker/handler-registry";

export const POST = defineRoute({
  operationId: "retryJob",
  tag: "Jobs",
  summary: "Repeat a job that failed or was cancelled",
  description: "Starts a new job, whose `retryOf` is this one.",
  auth: "caller",
  params: JobPath,
  response: JobAccepted,
  status: 202,
  idempotent: true,
  errors: ["job_not_retryable"],
  run: (ctx, { params }) => retryJob(ctx, params, retryOf),
});
