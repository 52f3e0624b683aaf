import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { Model } from "#lib/contract/models";
import { listModels } from "#lib/domain/models/list-models";

export const GET = defineRoute({
  operationId: "listModels",
  tag: "Models",
  summary: "List a project's models",
  description: "Returns trained and imported models, newest first. The newest model is the current model.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(Model),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listModels(ctx, { ...params, limit: query.limit, after: pageStart(request) })),
});
