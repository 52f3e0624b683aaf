import { defineRoute } from "#lib/api/define-route";
import { ComparisonPath } from "#lib/api/path-params";
import { ComparisonLink } from "#lib/contract/shared-comparisons";
import { endComparisonLink } from "#lib/domain/saved-comparisons/comparison-link";

export const POST = defineRoute({
  operationId: "endComparisonLink",
  tag: "Scenarios",
  summary: "Stop sharing a saved comparison",
  description: "Revokes the link, if the comparison has one.",
  auth: "project",
  params: ComparisonPath,
  response: ComparisonLink,
  etag: true,
  ifMatch: true,
  errors: ["not_found"],
  records: ["comparison.unshared?"],
  run: (ctx, { params }) => endComparisonLink(ctx, params),
});
