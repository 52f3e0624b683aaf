import { scenarioActuals } from "#lib/actuals/scenario-actuals";
import { ScenarioActuals } from "#lib/contract/actuals";
import { ChartQuery } from "#lib/contract/scenario-series";
import { defineRoute } from "#lib/http/define-route";
import { ScenarioPath } from "#lib/http/path-params";

export const GET = defineRoute({
  operationId: "getScenarioActuals",
  tag: "Scenarios",
  summary: "A scenario against what came true",
  description:
    "Predictions beside the actual values that the project's dataset knows by now, with the error over all rows from `from` to `to`, and that of the naive forecast from the same start. Append actual values with `POST …/dataset/rows`. Where none has arrived, `errors` is null and `reason` says why.",
  auth: "project",
  params: ScenarioPath,
  query: ChartQuery,
  response: ScenarioActuals,
  errors: ["scenario_not_ready"],
  run: (ctx, { params, query }) => scenarioActuals(ctx, { ...params, ...query }),
});
