import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Model } from "#lib/contract/models";
import { getCurrentModel } from "#lib/domain/models/list-models";

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
