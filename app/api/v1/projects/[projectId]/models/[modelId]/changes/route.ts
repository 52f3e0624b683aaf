import { defineRoute } from "#lib/api/define-route";
import { ModelPath } from "#lib/api/path-params";
import { ModelChanges } from "#lib/contract/actuals";
import { modelChanges } from "#lib/domain/actuals/model-changes";

export const GET = defineRoute({
  operationId: "getModelChanges",
  tag: "Models",
  summary: "Compare a model with the previous one",
  description:
    "Returns the differences in rows, features, importance and settings, and the errors of both models on the same rows. Neither model had seen those rows when it predicted them.",
  auth: "project",
  params: ModelPath,
  response: ModelChanges,
  run: (ctx, { params }) => modelChanges(ctx, params),
});
