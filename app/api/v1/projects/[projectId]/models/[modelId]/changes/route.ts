import { defineRoute } from "#lib/api/define-route";
import { ModelPath } from "#lib/api/path-params";
import { ModelChanges } from "#lib/contract/actuals";
import { modelChanges } from "#lib/domain/actuals/model-changes";

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
