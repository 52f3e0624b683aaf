import { defineRoute } from "#lib/api/define-route";
import { ComparisonPath } from "#lib/api/path-params";
import { SavedComparison, UpdateComparison } from "#lib/contract/saved-comparisons";
import { deleteComparison } from "#lib/domain/saved-comparisons/delete-comparison";
import { findComparison } from "#lib/domain/saved-comparisons/find-comparison";
import { updateComparison } from "#lib/domain/saved-comparisons/update-comparison";

export const GET = defineRoute({
  operationId: "getComparison",
  tag: "Scenarios",
  summary: "Get a saved comparison",
  description: "Returns the name and the scenarios of a saved comparison.",
  auth: "project",
  params: ComparisonPath,
  response: SavedComparison,
  etag: true,
  run: (ctx, { params }) => findComparison(ctx.db, params),
});

export const PATCH = defineRoute({
  operationId: "updateComparison",
  tag: "Scenarios",
  summary: "Update a saved comparison",
  description:
    "Changes the name, replaces the scenarios, or records the decision for one of them with what it predicts now. Send at least one of these fields.",
  auth: "project",
  params: ComparisonPath,
  body: UpdateComparison,
  response: SavedComparison,
  etag: true,
  ifMatch: true,
  errors: ["scenario_not_found", "scenario_not_ready"],
  records: ["comparison.updated"],
  run: (ctx, { params, body }) => updateComparison(ctx, { ...body, ...params }),
});

export const DELETE = defineRoute({
  operationId: "deleteComparison",
  tag: "Scenarios",
  summary: "Delete a saved comparison",
  description: "Returns the deleted comparison. Its scenarios stay.",
  auth: "project",
  params: ComparisonPath,
  response: SavedComparison,
  ifMatch: true,
  records: ["comparison.deleted"],
  run: (ctx, { params }) => deleteComparison(ctx, params),
});
