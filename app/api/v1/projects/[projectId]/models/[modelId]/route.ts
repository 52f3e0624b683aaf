import { Model } from "#lib/contract/models";
import { defineRoute } from "#lib/http/define-route";
import { etagOf } from "#lib/http/etag";
import { ModelPath } from "#lib/http/path-params";
import { getModel } from "#lib/models/list-models";

export const GET = defineRoute({
  operationId: "getModel",
  tag: "Models",
  summary: "Get a model",
  auth: "project",
  params: ModelPath,
  response: Model,
  etag: etagOf,
  run: (ctx, { params }) => getModel(ctx, params),
});
