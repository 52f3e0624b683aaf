import { z } from "zod";
import { ListQuery } from "#lib/contract/common";
import { Model } from "#lib/contract/models";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { pageReply, pageStart } from "#lib/http/response/pagination";
import { listModels } from "#lib/models/list-models";

export const GET = defineRoute({
  operationId: "listModels",
  tag: "Models",
  summary: "List the project's models, newest first",
  description: "Trained and imported ones; the newest is the current one.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(Model),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listModels(ctx, { ...params, limit: query.limit, after: pageStart(request) })),
});
