import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { ScenarioValidation, ValidateScenario } from "#lib/contract/scenarios";
import { validateScenario } from "#lib/domain/scenarios/validate-scenario";

export const POST = defineRoute({
  operationId: "validateScenario",
  tag: "Scenarios",
  summary: "Validate a scenario's input",
  description:
    "Takes the body of scenario creation and only validates its input. For a CSV: returns each issue with its row, column, value and expectation, and the nearest name in the file for a missing column. For `baseScenarioId` with `adjustments`: returns each adjustment that cannot be applied, else the number of rows that each adjustment changes.",
  auth: "project",
  effect: "predict",
  params: ProjectPath,
  body: ValidateScenario,
  fileFields: ["fileData"],
  response: ScenarioValidation,
  errors: [
    "input_invalid",
    "no_trained_model",
    "dependency_has_no_model",
    "dependency_checkpoint_required",
    "dependency_unknown",
    "checkpoint_not_found",
    "upload_not_found",
    "scenario_not_found",
    "scenario_not_ready",
  ],
  records: "none because it only checks",
  run: (ctx, { params, body }) => validateScenario(ctx, { ...body, ...params }),
});
