import { JobAccepted } from "#lib/contract/jobs";
import { defineRoute } from "#lib/http/define-route";
import { JobPath } from "#lib/http/path-params";
import { retryJob } from "#lib/jobs/retry-job";
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
