import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Model } from "#lib/contract/models";
import { getCurrentModel } from "#lib/domain/models/list-models";

export const GET = defineRoute({
  operationId: "getCurrentModel",
  tag: "Models",
  summary: "Get a project's current model",
  description:
    "Returns the latest trained or imported model. Predictions use it if the project has no checkpoint, and a new checkpoint saves it.",
  auth: "project",
  params: ProjectPath,
  response: Model,
  etag: true,
  errors: ["model_not_found"],
  run: (ctx, { params }) => getCurrentModel(ctx, params),
});
