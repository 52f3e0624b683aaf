import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Extrapolation } from "#lib/contract/extrapolation";
import { getExtrapolation } from "#lib/domain/comparison/get-extrapolation";

export const GET = defineRoute({
  operationId: "getExtrapolation",
  tag: "Scenarios",
  summary: "Get a scenario's extrapolation",
  description:
    "Returns, by feature, the number of rows outside the training range or with a category that the training rows lack. Also returns the spans of such rows, for a chart.",
  auth: "project",
  params: ScenarioPath,
  response: Extrapolation,
  errors: ["scenario_not_ready"],
  run: (ctx, { params }) => getExtrapolation(ctx, params),
});
