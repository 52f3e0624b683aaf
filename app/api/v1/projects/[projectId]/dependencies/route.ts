import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Project, PutDependencies } from "#lib/contract/projects";
import { setDependencies } from "#lib/domain/projects/set-dependencies";

export const PUT = defineRoute({
  operationId: "setDependencies",
  tag: "Projects",
  summary: "Set a project's dependencies",
  description:
    "Replaces the list of upstream projects. The predictions of each upstream project become the input feature `featureName`. A key can remove and rename dependencies. Adding one requires an admin session.",
  auth: "settings",
  params: ProjectPath,
  body: PutDependencies,
  response: Project,
  etag: true,
  ifMatch: true,
  errors: ["dependency_cycle"],
  records: ["project.dependencies-set"],
  run: (ctx, { params, body }) => setDependencies(ctx, { ...params, ...body }),
});
