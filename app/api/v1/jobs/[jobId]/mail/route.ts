import { defineRoute } from "#lib/api/define-route";
import { JobPath } from "#lib/api/path-params";
import { JobMail, SetJobMail } from "#lib/contract/job-mail";
import { getJobMail, setJobMail } from "#lib/domain/jobs/job-mail";

export const GET = defineRoute({
  operationId: "getJobMail",
  tag: "Jobs",
  summary: "Get whether the end of a job is mailed",
  description: "Concerns the caller only.",
  auth: "session",
  params: JobPath,
  response: JobMail,
  etag: true,
  run: (ctx, { params }) => getJobMail(ctx, params),
});

export const POST = defineRoute({
  operationId: "setJobMail",
  tag: "Jobs",
  summary: "Request a mail at the end of a job",
  description:
    "The caller gets one mail when the job is `Completed`, `Failed` or `Cancelled`. Needs a service that sends mail. An ended job, and the deletion of a resource, return 400.",
  auth: "session",
  effect: "read",
  params: JobPath,
  body: SetJobMail,
  response: JobMail,
  etag: true,
  ifMatch: true,
  records: "none because it concerns the mail of the caller alone",
  run: (ctx, { params, body }) => setJobMail(ctx, { ...params, ...body }),
});
