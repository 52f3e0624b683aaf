import { defineRoute } from "#lib/api/define-route";
import { ProjectOverridePath } from "#lib/api/path-params";
import { ScenarioOverride } from "#lib/contract/overrides";
import { endOverride } from "#lib/domain/scenarios/overrides/end-override";
import { locateOverride } from "#lib/domain/scenarios/overrides/find-override";

export const DELETE = defineRoute({
  operationId: "endOverrideOfProject",
  tag: "Scenarios",
  summary: "End an override by its ID alone",
  description: "Like `endOverride`, for callers that do not know the scenario.",
  auth: "project",
  params: ProjectOverridePath,
  response: ScenarioOverride,
  ifMatch: true,
  records: ["scenario.override-ended"],
  run: async (ctx, { params }) => endOverride(ctx, await locateOverride(ctx.db, params)),
});
