import { z } from "zod";
import { ListQuery } from "#lib/contract/common";
import { limits } from "#lib/contract/limits";
import { CreateProject, Project } from "#lib/contract/projects";
import { defineRoute } from "#lib/http/define-route";
import { encodeCursor, idBefore, nextLink } from "#lib/http/pagination";
import { reply } from "#lib/http/reply";
import { createProject } from "#lib/projects/create-project";
import { listProjects } from "#lib/projects/list-projects";

export const GET = defineRoute({
  operationId: "listProjects",
  tag: "Projects",
  summary: "List projects",
  description: "The newest first. A key sees its own project alone.",
  auth: "caller",
  query: ListQuery,
  response: z.array(Project),
  async run(ctx, { query, request }) {
    const page = await listProjects(ctx, {
      before: idBefore(query.cursor),
      limit: query.limit ?? limits.listMax,
    });
    const cursor = page.nextBefore === null ? null : encodeCursor([page.nextBefore]);
    return reply(page.projects, { headers: nextLink(request, cursor) });
  },
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
