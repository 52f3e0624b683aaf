import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { AddProjectMember, ProjectMember } from "#lib/contract/project-members";
import { addProjectMember } from "#lib/domain/project-members/change-project-members";
import { listProjectMembers } from "#lib/domain/project-members/list-project-members";

export const GET = defineRoute({
  operationId: "listProjectMembers",
  tag: "Projects",
  summary: "List a project's members",
  description:
    "Returns the listed members. In an open project, all other users have the role of their account; admins of the service have the role admin everywhere.",
  auth: "manage",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(ProjectMember),
  run: async (ctx, { params, query, request }) =>
    pageReply(
      request,
      await listProjectMembers(ctx, { ...params, limit: query.limit, after: pageStart(request) }),
    ),
});

export const POST = defineRoute({
  operationId: "addProjectMember",
  tag: "Projects",
  summary: "Add a member to a project",
  auth: "manage",
  params: ProjectPath,
  body: AddProjectMember,
  response: ProjectMember,
  status: 201,
  etag: true,
  idempotent: true,
  errors: ["member_not_found"],
  records: ["project.member-added"],
  run: (ctx, { params, body }) => addProjectMember(ctx, { ...params, ...body }),
});
