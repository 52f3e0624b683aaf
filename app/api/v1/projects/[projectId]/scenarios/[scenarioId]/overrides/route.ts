import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateOverride, ScenarioOverride } from "#lib/contract/overrides";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { listOverrides } from "#lib/domain/scenarios/overrides/list-overrides";

export const GET = defineRoute({
  operationId: "listOverrides",
  tag: "Scenarios",
  summary: "List a scenario's overrides",
  description:
    "Returns the active overrides in the order in which they apply, oldest first. The audit log keeps those that have ended.",
  auth: "project",
  params: ScenarioPath,
  query: ListQuery,
  response: z.array(ScenarioOverride),
  run: async (ctx, { params, query, request }) =>
    pageReply(
      request,
      await listOverrides(ctx, { ...params, limit: query.limit, after: pageStart(request) }),
    ),
});

export const POST = defineRoute({
  operationId: "createOverride",
  tag: "Scenarios",
  summary: "Override predictions",
  description:
    "Replaces or moves the predictions of a span, for a reason. Rows, charts, comparisons, downloads, summaries and errors then show effective values; rows also carry `calculated` and `overrideId`. Overrides apply in the order of their creation, each to the result of those before it, and stay when the scenario runs again. Contributions, sensitivity, goal seek, previews, scenarios based on this one and downstream projects use the calculated values. A scenario has at most 100 active overrides.",
  auth: "project",
  params: ScenarioPath,
  body: CreateOverride,
  response: ScenarioOverride,
  status: 201,
  etag: true,
  idempotent: true,
  ifMatch: true,
  errors: ["scenario_not_ready"],
  records: ["scenario.override-added"],
  run: (ctx, { params, body }) => createOverride(ctx, { ...body, ...params }),
});
