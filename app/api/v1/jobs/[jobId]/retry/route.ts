import { defineRoute } from "#lib/api/define-route";
import { JobPath } from "#lib/api/path-params";
import { JobAccepted } from "#lib/contract/jobs";
import { retryOf } from "#lib/domain/job-handlers/handler-registry";
import { retryJob } from "#lib/domain/jobs/retry-job";

export const POST = defineRoute({
  operationId: "retryJob",
  tag: "Jobs",
  summary: "Retry a failed or cancelled job",
  description:
    "Creates a new job whose `retryOf` is this job's ID. Checkpoints that the job had reserved are reserved again.",
  auth: "caller",
  params: JobPath,
  response: JobAccepted,
  status: 202,
  idempotent: true,
  ifMatch: true,
  errors: [
    "job_not_retryable",
    "duplicate_label",
    "checkpoint_limit_reached",
    "quota_exceeded",
    "dependency_unknown",
  ],
  records: ["job.retried", "job-updated", "checkpoint.created?", "checkpoint.imported?"],
  run: (ctx, { params }) => retryJob(ctx, params, retryOf),
});
