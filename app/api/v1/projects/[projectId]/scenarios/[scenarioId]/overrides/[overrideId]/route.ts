import { defineRoute } from "#lib/api/define-route";
import { OverridePath } from "#lib/api/path-params";
import { ScenarioOverride } from "#lib/contract/overrides";
import { endOverride } from "#lib/domain/scenarios/overrides/end-override";
import { findOverride } from "#lib/domain/scenarios/overrides/find-override";

export const GET = defineRoute({
  operationId: "getOverride",
  tag: "Scenarios",
  summary: "Get an override",
  description: "Returns an active override of a scenario.",
  auth: "project",
  params: OverridePath,
  response: ScenarioOverride,
  etag: true,
  run: (ctx, { params }) => findOverride(ctx.db, params),
});

export const DELETE = defineRoute({
  operationId: "endOverride",
  tag: "Scenarios",
  summary: "End an override",
  description: "Returns the ended override. It stays in the audit log.",
  auth: "project",
  params: OverridePath,
  response: ScenarioOverride,
  ifMatch: true,
  records: ["scenario.override-ended"],
  run: (ctx, { params }) => endOverride(ctx, params),
});
