import { Project, PutDependencies } from "#lib/contract/projects";
import { defineRoute } from "#lib/http/define-route";
import { etagOf } from "#lib/http/etag";
import { ProjectPath } from "#lib/http/path-params";
import { getProject } from "#lib/projects/get-project";
import { setDependencies } from "#lib/projects/set-dependencies";

export const PUT = defineRoute({
  operationId: "setDependencies",
  tag: "Projects",
  summary: "Declare whose predictions the project uses",
  description:
    "The list replaces the one before. Each upstream project's predictions become the input feature `featureName`. A key may drop and rename dependencies; an admin's session may also add them.",
  auth: "settings",
  params: ProjectPath,
  body: PutDependencies,
  response: Project,
  etag: etagOf,
  ifMatch: async (ctx, { params }) => etagOf(await getProject(ctx, params)),
  errors: ["dependency_cycle"],
  run: (ctx, { params, body }) => setDependencies(ctx, { ...params, ...body }),
});
