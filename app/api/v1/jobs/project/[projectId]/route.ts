import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { Job, JobListQuery } from "#lib/contract/jobs";
import { listJobs } from "#lib/domain/jobs/list-jobs";
import { presentJob } from "#lib/domain/jobs/present-job";

export const GET = defineRoute({
  operationId: "listJobs",
  tag: "Jobs",
  summary: "List a project's jobs",
  description:
    "Returns jobs newest first. `status` and `type` can be repeated. The header `Link` points to the next page, if any.",
  auth: "project",
  params: ProjectPath,
  query: JobListQuery,
  response: z.array(Job),
  async run(ctx, { params, query, request }) {
    const { items, next } = await listJobs(ctx.db, { ...query, ...params, after: pageStart(request) });
    return pageReply(request, { items: items.map(presentJob), next });
  },
});
