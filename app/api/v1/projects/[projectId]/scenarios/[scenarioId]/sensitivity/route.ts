import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Sensitivity, SensitivityQuery } from "#lib/contract/sensitivity";
import { getSensitivity } from "#lib/domain/what-if/get-sensitivity";

export const GET = defineRoute({
  operationId: "getSensitivity",
  tag: "Scenarios",
  summary: "Get the sensitivity of a scenario",
  description:
    "Returns the effect of each input on the predictions from `from` to `to`. One input is changed at a time, in all rows of the span. Each effect equals the difference of a scenario with the same adjustment. `curves=true` adds response curves over the range of the training data. Long spans are sampled. Of many series, the rows are those of at most 200 series, which `series` and `where` choose. `run` or `asOf` chooses an earlier run, which needs its checkpoint here.",
  auth: "project",
  params: ScenarioPath,
  query: SensitivityQuery,
  response: Sensitivity,
  errors: [
    "run_not_found",
    "checkpoint_not_found",
    "scenario_not_ready",
    "series_not_found",
    "input_invalid",
  ],
  run: (ctx, { params, query }) => getSensitivity(ctx, { ...query, ...params }),
});
