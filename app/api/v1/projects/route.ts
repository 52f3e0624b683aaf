import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateProject, Project, ProjectOverview } from "#lib/contract/projects";
import { createProject } from "#lib/domain/projects/create-project";
import { listProjects } from "#lib/domain/projects/list-projects";

export const GET = defineRoute({
  operationId: "listProjects",
  tag: "Projects",
  summary: "List projects",
  description:
    "Returns projects newest first, with their current activity. For a key, returns only the key's project.",
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
  etag: true,
  idempotent: true,
  records: ["project.created"],
  run: (ctx, { body }) => createProject(ctx, body),
});
