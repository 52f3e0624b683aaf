import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { outliveKeyLeases } from "#lib/api-keys/key-leases";
import { Accepted } from "#lib/contract/common";
import { Project, UpdateProject } from "#lib/contract/projects";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { getProject } from "#lib/domain/projects/get-project";
import { updateProject } from "#lib/domain/projects/update-project";

export const GET = defineRoute({
  operationId: "getProject",
  tag: "Projects",
  summary: "Get a project",
  description: "With its current model, its default checkpoint and the projects whose predictions it uses.",
  auth: "project",
  params: ProjectPath,
  response: Project,
  etag: true,
  run: (ctx, { params }) => getProject(ctx, params),
});

export const PATCH = defineRoute({
  operationId: "updateProject",
  tag: "Projects",
  summary: "Change a project's name or description",
  auth: "settings",
  params: ProjectPath,
  body: UpdateProject,
  response: Project,
  etag: true,
  ifMatch: true,
  run: (ctx, { params, body }) => updateProject(ctx, { ...params, change: body }),
});

export const DELETE = defineRoute({
  operationId: "deleteProject",
  tag: "Projects",
  summary: "Delete a project",
  description:
    "The project is gone from view at once; a job removes its data. Refused while other projects use its predictions.",
  auth: "admin",
  params: ProjectPath,
  response: Accepted,
  status: 202,
  ifMatch: true,
  errors: ["validation_failed"],
  run: async (ctx, { params }) => {
    const deletion = await deleteProject(ctx, params);
    await outliveKeyLeases(); // Its keys end with it.
    return deletion;
  },
});
