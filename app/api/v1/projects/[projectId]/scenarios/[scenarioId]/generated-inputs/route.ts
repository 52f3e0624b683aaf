import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { GeneratedInputs } from "#lib/contract/generated-inputs";
import { RunQuery } from "#lib/contract/scenario-runs";
import { getGeneratedInputs } from "#lib/domain/scenarios/get-generated-inputs";

export const GET = defineRoute({
  operationId: "getGeneratedInputs",
  tag: "Scenarios",
  summary: "Get a scenario's generated inputs",
  description:
    "Returns the forecasting method of each input feature, its back-test error, and the end of the history with its continuation, for a chart. `run` or `asOf` chooses an earlier run.",
  auth: "project",
  params: ScenarioPath,
  query: RunQuery,
  response: GeneratedInputs,
  errors: ["run_not_found", "scenario_not_ready"],
  run: (ctx, { params, query }) => getGeneratedInputs(ctx, { ...params, ...query }),
});
