import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { ScenarioActuals } from "#lib/contract/actuals";
import { ChartQuery } from "#lib/contract/scenario-series";
import { scenarioActuals } from "#lib/domain/actuals/scenario-actuals";

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
