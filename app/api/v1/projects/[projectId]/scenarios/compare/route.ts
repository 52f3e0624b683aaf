import { CompareQuery, Comparison } from "#lib/contract/scenario-series";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { compareScenarios } from "#lib/scenarios/compare-scenarios";

export const GET = defineRoute({
  operationId: "compareScenarios",
  tag: "Scenarios",
  summary: "Compare 2 to 20 scenarios",
  description:
    "Series aligned by time (by row where one has no times), differences from the baseline, and what differs between the scenarios. Totals are over every point between `from` and `to`; `maxPoints` thins out only the points that are sent, and keeps the extremes.",
  auth: "project",
  params: ProjectPath,
  query: CompareQuery,
  response: Comparison,
  errors: ["scenario_not_found", "scenario_not_ready"],
  run: (ctx, { params, query }) => compareScenarios(ctx, { ...query, ...params }),
});
