import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { GeneratedInputs } from "#lib/contract/generated-inputs";
import { getGeneratedInputs } from "#lib/domain/scenarios/get-generated-inputs";

export const GET = defineRoute({
  operationId: "getGeneratedInputs",
  tag: "Scenarios",
  summary: "Get a scenario's generated inputs",
  description:
    "Returns the forecasting method of each input feature, its back-test error, and the end of the history with its continuation, for a chart.",
  auth: "project",
  params: ScenarioPath,
  response: GeneratedInputs,
  errors: ["scenario_not_ready"],
  run: (ctx, { params }) => getGeneratedInputs(ctx, params),
});
