import { defineRoute } from "#lib/api/define-route";
import { ProjectMemberPath } from "#lib/api/path-params";
import { ProjectMember, UpdateProjectMember } from "#lib/contract/project-members";
import { removeProjectMember, updateProjectMember } from "#lib/domain/project-members/change-project-members";
import { requireListed } from "#lib/domain/project-members/list-project-members";

export const GET = defineRoute({
  operationId: "getProjectMember",
  tag: "Projects",
  summary: "Get a member of a project",
  auth: "manage",
  params: ProjectMemberPath,
  response: ProjectMember,
  etag: true,
  run: (ctx, { params }) => requireListed(ctx.db, params),
});

export const PATCH = defineRoute({
  operationId: "updateProjectMember",
  tag: "Projects",
  summary: "Change the role of a project's member",
  auth: "manage",
  params: ProjectMemberPath,
  body: UpdateProjectMember,
  response: ProjectMember,
  etag: true,
  ifMatch: true,
  records: ["project.member-updated"],
  run: (ctx, { params, body }) => updateProjectMember(ctx, { ...params, ...body }),
});

export const DELETE = defineRoute({
  operationId: "removeProjectMember",
  tag: "Projects",
  summary: "Remove a member from a project",
  description:
    "Returns the removed member. In a restricted project, the user then has no role. API keys that the user created stay valid.",
  auth: "manage",
  params: ProjectMemberPath,
  response: ProjectMember,
  ifMatch: true,
  records: ["project.member-removed"],
  run: (ctx, { params }) => removeProjectMember(ctx, params),
});
