import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Accepted } from "#lib/contract/common";
import { Project, UpdateProject } from "#lib/contract/projects";
import { awaitKeyLeases } from "#lib/domain/api-keys/key-leases";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { getProject } from "#lib/domain/projects/get-project";
import { updateProject } from "#lib/domain/projects/update-project";

export const GET = defineRoute({
  operationId: "getProject",
  tag: "Projects",
  summary: "Get a project",
  description: "Returns a project with its current model, its default checkpoint and its upstream projects.",
  auth: "project",
  params: ProjectPath,
  response: Project,
  etag: true,
  run: (ctx, { params }) => getProject(ctx, params),
});

export const PATCH = defineRoute({
  operationId: "updateProject",
  tag: "Projects",
  summary: "Update a project",
  auth: "settings",
  params: ProjectPath,
  body: UpdateProject,
  response: Project,
  etag: true,
  ifMatch: true,
  records: ["project.updated"],
  run: (ctx, { params, body }) => updateProject(ctx, { ...params, change: body }),
});

export const DELETE = defineRoute({
  operationId: "deleteProject",
  tag: "Projects",
  summary: "Delete a project",
  description:
    "The project disappears immediately. A background job removes its data. A project that is an upstream project of others cannot be deleted.",
  auth: "admin",
  params: ProjectPath,
  response: Accepted,
  status: 202,
  ifMatch: true,
  errors: ["validation_failed"],
  records: ["project.deleted", "job-updated"],
  run: async (ctx, { params }) => {
    const deletion = await deleteProject(ctx, params);
    await awaitKeyLeases(); // The project's keys end with the project.
    return deletion;
  },
});
