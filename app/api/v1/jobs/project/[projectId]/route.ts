import { z } from "zod";
import { Id } from "#lib/contract/common";
import { Job, JobListQuery } from "#lib/contract/jobs";
import { limits } from "#lib/contract/limits";
import { defineRoute } from "#lib/http/define-route";
import { decodeCursor, encodeCursor, nextLink } from "#lib/http/pagination";
import { ProjectPath } from "#lib/http/path-params";
import { reply } from "#lib/http/reply";
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
    const { jobs, hasMore } = await listJobs(ctx.db, {
      projectId: params.projectId,
      status: query.status,
      type: query.type,
      limit: query.limit ?? limits.listDefault,
      afterId: query.cursor === undefined ? undefined : decodeCursor(query.cursor, z.tuple([Id]))[0],
    });
    const last = jobs.at(-1);
    const next = hasMore && last ? encodeCursor([last.id]) : null;
    return reply(jobs.map(presentJob), { headers: nextLink(request, next) });
  },
});
