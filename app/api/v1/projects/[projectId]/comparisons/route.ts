import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateComparison, SavedComparison } from "#lib/contract/saved-comparisons";
import { createComparison } from "#lib/domain/saved-comparisons/create-comparison";
import { listComparisons } from "#lib/domain/saved-comparisons/list-comparisons";

export const GET = defineRoute({
  operationId: "listComparisons",
  tag: "Scenarios",
  summary: "List a project's saved comparisons",
  description: "Returns saved comparisons newest first.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(SavedComparison),
  run: async (ctx, { params, query, request }) =>
    pageReply(
      request,
      await listComparisons(ctx, { ...params, limit: query.limit, after: pageStart(request) }),
    ),
});

export const POST = defineRoute({
  operationId: "createComparison",
  tag: "Scenarios",
  summary: "Save a comparison",
  description:
    "Saves a name for 2 to 20 scenarios in order. The first is the baseline scenario. A project has at most 100 saved comparisons. To compute the comparison, call `GET …/scenarios/compare` with these IDs.",
  auth: "project",
  params: ProjectPath,
  body: CreateComparison,
  response: SavedComparison,
  status: 201,
  etag: true,
  idempotent: true,
  errors: ["scenario_not_found", "comparison_limit_reached"],
  records: ["comparison.created"],
  run: (ctx, { params, body }) => createComparison(ctx, { ...body, ...params }),
});
