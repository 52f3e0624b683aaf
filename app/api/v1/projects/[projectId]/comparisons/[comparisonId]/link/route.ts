import { defineRoute } from "#lib/api/define-route";
import { ComparisonPath } from "#lib/api/path-params";
import { ComparisonLink, CreateComparisonLink, NewComparisonLink } from "#lib/contract/shared-comparisons";
import { createComparisonLink, getComparisonLink } from "#lib/domain/saved-comparisons/comparison-link";

export const GET = defineRoute({
  operationId: "getComparisonLink",
  tag: "Scenarios",
  summary: "Get the link of a saved comparison",
  description: "Returns when the link expires, not its token.",
  auth: "project",
  params: ComparisonPath,
  response: ComparisonLink,
  etag: true,
  errors: ["not_found"],
  run: (ctx, { params }) => getComparisonLink(ctx, params),
});

export const POST = defineRoute({
  operationId: "createComparisonLink",
  tag: "Scenarios",
  summary: "Share a saved comparison",
  description:
    "Creates a link by which anybody can see the comparison without an account, and ends a former link. Exists only in a service with `COMPARISON_LINKS=1`.",
  auth: "project",
  params: ComparisonPath,
  body: CreateComparisonLink,
  response: NewComparisonLink,
  idempotent: true,
  ifMatch: true,
  errors: ["not_found"],
  records: ["comparison.shared"],
  run: (ctx, { params, body }) => createComparisonLink(ctx, { ...params, ...body }),
});
