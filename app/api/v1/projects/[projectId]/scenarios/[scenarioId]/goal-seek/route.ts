import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { GoalSeekRequest, GoalSeekResult } from "#lib/contract/goal-seek";
import { seekScenarioGoal } from "#lib/domain/what-if/goal-seek";

export const POST = defineRoute({
  operationId: "seekGoal",
  tag: "Scenarios",
  summary: "Seek a goal of a scenario",
  description:
    "Returns the setting of levers with which the predictions from `from` to `to` meet the constraints and come closest to the goal. Among equal settings, the smallest changes win. Every setting is evaluated if there are few enough: up to 1,000,000 rows in total within 5 seconds, or 200,000 rows if they use earlier predictions. Otherwise the search goes from coarse to fine steps. Of many series, the rows are those of at most 200 series, which `series` and `where` choose; the `adjustments` change only these. Changes nothing: create a scenario with the returned `adjustments`.",
  auth: "project",
  effect: "predict",
  params: ScenarioPath,
  body: GoalSeekRequest,
  response: GoalSeekResult,
  errors: ["scenario_not_ready", "series_not_found", "input_invalid"],
  records: "none because it only computes",
  run: (ctx, { params, body }) => seekScenarioGoal(ctx, { ...body, ...params }),
});
