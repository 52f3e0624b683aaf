import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Extrapolation } from "#lib/contract/extrapolation";
import { getExtrapolation } from "#lib/domain/comparison/get-extrapolation";

export const GET = defineRoute({
  operationId: "getExtrapolation",
  tag: "Scenarios",
  summary: "Where a scenario is outside of what its model was trained on",
  description:
    "By feature how many rows are outside of the range of the training rows, or have a category that these did not have; and the stretches of rows in which that is so, for a chart.",
  auth: "project",
  params: ScenarioPath,
  response: Extrapolation,
  errors: ["scenario_not_ready"],
  run: (ctx, { params }) => getExtrapolation(ctx, params),
});
