import { Model } from "#lib/contract/models";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { getCurrentModel } from "#lib/models/list-models";

export const GET = defineRoute({
  operationId: "getCurrentModel",
  tag: "Models",
  summary: "Get the project's latest trained or imported model",
  description: "What predictions use where there is no checkpoint, and what a new checkpoint saves.",
  auth: "project",
  params: ProjectPath,
  response: Model,
  etag: true,
  errors: ["model_not_found"],
  run: (ctx, { params }) => getCurrentModel(ctx, params),
});
