import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { ScenarioRows, ScenarioRowsQuery } from "#lib/contract/scenario-rows";
import { listScenarioRows } from "#lib/domain/stored-predictions/list-scenario-rows";

export const GET = defineRoute({
  operationId: "listScenarioRows",
  tag: "Scenarios",
  summary: "Get a scenario's rows",
  description:
    "Returns a page of rows with input and prediction, by `limit` and `offset`, for a table. To get all rows, download the predictions as CSV. `run` or `asOf` chooses an earlier run.",
  auth: "project",
  params: ScenarioPath,
  query: ScenarioRowsQuery,
  response: ScenarioRows,
  errors: ["run_not_found", "scenario_not_ready"],
  run: (ctx, { params, query }) => listScenarioRows(ctx, { ...params, ...query }),
});
