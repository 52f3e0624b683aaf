import { z } from "zod";
import { Job, JobListQuery } from "#lib/contract/jobs";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { pageReply, pageStart } from "#lib/http/response/pagination";
import { listJobs } from "#lib/jobs/list-jobs";
import { presentJob } from "#lib/jobs/present-job";

export const GET = defineRoute({
  operationId: "listJobs",
  tag: "Jobs",
  summary: "List the project's jobs, newest first",
  description:
    "`status` and `type` may be repeated. Where there are more, the header `Link` leads to the next page.",
  auth: "project",
  params: ProjectPath,
  query: JobListQuery,
  response: z.array(Job),
  async run(ctx, { params, query, request }) {
    const { items, next } = await listJobs(ctx.db, { ...query, ...params, after: pageStart(request) });
    return pageReply(request, { items: items.map(presentJob), next });
  },
});
