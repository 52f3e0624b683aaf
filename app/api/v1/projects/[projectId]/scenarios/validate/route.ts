import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { ScenarioValidation, ValidateScenario } from "#lib/contract/scenarios";
import { validateScenario } from "#lib/domain/scenarios/validate-scenario";

export const POST = defineRoute({
  operationId: "validateScenario",
  tag: "Scenarios",
  summary: "Check the input of a scenario before it is made",
  description:
    "Takes the body of creation, does the check of its input and nothing else. Of a CSV: each fault with its row, column, value and what was expected; for a missing column the nearest name in the file. Of another scenario's input (`baseScenarioId`) with `adjustments`: each adjustment that cannot be applied, else how many rows each of them changes.",
  auth: "project",
  params: ProjectPath,
  body: ValidateScenario,
  fileFields: ["fileData"],
  response: ScenarioValidation,
  errors: [
    "no_trained_model",
    "dependency_has_no_model",
    "dependency_checkpoint_required",
    "dependency_unknown",
    "checkpoint_not_found",
    "upload_not_found",
    "scenario_not_found",
    "scenario_not_ready",
  ],
  run: (ctx, { params, body }) => validateScenario(ctx, { ...body, ...params }),
});
