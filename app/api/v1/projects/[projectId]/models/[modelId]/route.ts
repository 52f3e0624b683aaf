import { defineRoute } from "#lib/api/define-route";
import { ModelPath } from "#lib/api/path-params";
import { Model } from "#lib/contract/models";
import { getModel } from "#lib/domain/models/list-models";

export const GET = defineRoute({
  operationId: "getModel",
  tag: "Models",
  summary: "Get a model",
  description: "Returns a model with its metrics, its input features and its feature engineering.",
  auth: "project",
  params: ModelPath,
  response: Model,
  etag: true,
  run: (ctx, { params }) => getModel(ctx, params),
});
