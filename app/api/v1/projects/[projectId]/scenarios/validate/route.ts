import { ScenarioValidation, ValidateScenario } from "#lib/contract/scenarios";
import { defineRoute } from "#lib/http/define-route";
import { ProjectPath } from "#lib/http/path-params";
import { validateScenario } from "#lib/scenarios/validate-scenario";

export const POST = defineRoute({
  operationId: "validateScenario",
  tag: "Scenarios",
  summary: "Check a CSV as input of a scenario",
  description:
    "Does the check of scenario creation and nothing else: each fault with its row, column, value and what was expected; for a missing column the nearest name in the file.",
  auth: "project",
  params: ProjectPath,
  body: ValidateScenario,
  fileFields: ["fileData"],
  response: ScenarioValidation,
  errors: ["no_trained_model", "checkpoint_not_found", "upload_not_found"],
  run: (ctx, { params, body }) => validateScenario(ctx, { ...body, ...params }),
});
