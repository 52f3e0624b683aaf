import { GeneratedInputs } from "#lib/contract/generated-inputs";
import { defineRoute } from "#lib/http/define-route";
import { ScenarioPath } from "#lib/http/path-params";
import { getGeneratedInputs } from "#lib/scenarios/get-generated-inputs";

export const GET = defineRoute({
  operationId: "getGeneratedInputs",
  tag: "Scenarios",
  summary: "How a scenario's inputs were generated",
  description:
    "For each input feature how it was continued, how far off that was when it was tried from earlier dates, and the end of the history with its continuation, for a chart.",
  auth: "project",
  params: ScenarioPath,
  response: GeneratedInputs,
  errors: ["scenario_not_ready"],
  run: (ctx, { params }) => getGeneratedInputs(ctx, params),
});
