import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { LiveModelResponse } from "#lib/contract/live-model";
import { RunQuery } from "#lib/contract/scenario-runs";
import { getLiveModel } from "#lib/domain/what-if/get-live-model";

export const GET = defineRoute({
  operationId: "getLiveModel",
  tag: "Scenarios",
  summary: "Get the live model of a scenario",
  description:
    "Returns the data with which the dashboard predicts edits of a scenario while a slider moves. The content changes with the version of the service: other programs call `POST …/preview`, which has equal predictions. `run` or `asOf` chooses an earlier run, which needs its checkpoint here.",
  auth: "project",
  params: ScenarioPath,
  query: RunQuery,
  response: LiveModelResponse,
  errors: [
    "validation_failed",
    "run_not_found",
    "checkpoint_not_found",
    "scenario_not_ready",
    "input_invalid",
  ],
  run: (ctx, { params, query }) => getLiveModel(ctx, { ...params, ...query }),
});
