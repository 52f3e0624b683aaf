import { modelChanges } from "#lib/actuals/model-changes";
import { ModelChanges } from "#lib/contract/actuals";
import { defineRoute } from "#lib/http/define-route";
import { ModelPath } from "#lib/http/path-params";

export const GET = defineRoute({
  operationId: "getModelChanges",
  tag: "Models",
  summary: "What a model has changed",
  description:
    "Against the one before it: rows, features, importance, settings, and the errors of both on the same rows, which neither has learned from.",
  auth: "project",
  params: ModelPath,
  response: ModelChanges,
  run: (ctx, { params }) => modelChanges(ctx, params),
});
