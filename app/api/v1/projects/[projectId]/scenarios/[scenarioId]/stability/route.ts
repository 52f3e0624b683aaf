import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Stability } from "#lib/contract/stability";
import { getStability } from "#lib/domain/comparison/get-stability";

export const GET = defineRoute({
  operationId: "getScenarioStability",
  tag: "Scenarios",
  summary: "Get the stability of a scenario's forecast",
  description:
    "Returns how far the forecast of the same times moved from each completed run to the next, with overrides, for each run and for all. `relativeChange` is the mean absolute change divided by the mean absolute forecast of the former run, over the times that both runs predict and the newer one did not know. Of many series, it is that of their sums. Runs without times have no common times. Of long scenarios, only the newest runs with up to 2,000,000 rows in total are compared.",
  auth: "project",
  params: ScenarioPath,
  response: Stability,
  errors: ["run_not_found"],
  run: (ctx, { params }) => getStability(ctx, params),
});
