import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Project, PutDependencies } from "#lib/contract/projects";
import { setDependencies } from "#lib/domain/projects/set-dependencies";

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
  etag: true,
  ifMatch: true,
  errors: ["dependency_cycle"],
  run: (ctx, { params, body }) => setDependencies(ctx, { ...params, ...body }),
});
