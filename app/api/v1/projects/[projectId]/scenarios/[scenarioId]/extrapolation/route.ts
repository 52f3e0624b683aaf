import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Extrapolation } from "#lib/contract/extrapolation";
import { RunQuery } from "#lib/contract/scenario-runs";
import { getExtrapolation } from "#lib/domain/comparison/get-extrapolation";

export const GET = defineRoute({
  operationId: "getExtrapolation",
  tag: "Scenarios",
  summary: "Get a scenario's extrapolation",
  description:
    "Returns, by feature, the number of rows outside the training range or with a category that the training rows lack. Also returns the spans of such rows, for a chart. `run` or `asOf` chooses an earlier run, which needs its checkpoint here.",
  auth: "project",
  params: ScenarioPath,
  query: RunQuery,
  response: Extrapolation,
  errors: ["run_not_found", "checkpoint_not_found", "scenario_not_ready"],
  run: (ctx, { params, query }) => getExtrapolation(ctx, { ...params, ...query }),
});
