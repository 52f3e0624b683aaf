import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { ProjectSpace } from "#lib/contract/space";
import { projectSpace } from "#lib/domain/projects/space";

export const GET = defineRoute({
  operationId: "getProjectSpace",
  tag: "Projects",
  summary: "Get a project's space",
  description:
    "Returns the space that the project uses, and its limits. Requests that would exceed a limit return `quota_exceeded`.",
  auth: "project",
  params: ProjectPath,
  response: ProjectSpace,
  etag: true,
  run: (ctx, { params }) => projectSpace(ctx.db, params.projectId),
});
