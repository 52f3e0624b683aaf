import { z } from "zod";
import { ListQuery } from "#lib/contract/common";
import { CreateProject, Project, ProjectOverview } from "#lib/contract/projects";
import { defineRoute } from "#lib/http/define-route";
import { pageReply, pageStart } from "#lib/http/response/pagination";
import { createProject } from "#lib/projects/create-project";
import { listProjects } from "#lib/projects/list-projects";

export const GET = defineRoute({
  operationId: "listProjects",
  tag: "Projects",
  summary: "List projects",
  description: "The newest first, with what goes on in each. A key sees its own project alone.",
  auth: "caller",
  query: ListQuery,
  response: z.array(ProjectOverview),
  run: async (ctx, { query, request }) =>
    pageReply(request, await listProjects(ctx, { limit: query.limit, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createProject",
  tag: "Projects",
  summary: "Create a project",
  auth: "admin",
  body: CreateProject,
  response: Project,
  status: 201,
  idempotent: true,
  run: (ctx, { body }) => createProject(ctx, body),
});
