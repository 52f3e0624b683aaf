import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Difference, DifferenceQuery } from "#lib/contract/scenario-differences";
import { explainDifference } from "#lib/domain/comparison/explain-difference";

export const GET = defineRoute({
  operationId: "explainDifference",
  tag: "Scenarios",
  summary: "Explain the difference between two scenarios",
  description:
    "Splits the difference from `baselineId`, in total and at each point, into its causes: input features, predictions of upstream projects, the checkpoint, and earlier values of the target. The parts are Shapley values and add up to the whole difference. Totals cover every row from `from` to `to` that both scenarios have. `maxPoints` (default 1,000) reduces only the returned points. Of many series, the points are sums of the series that `series` and `where` choose.",
  auth: "project",
  params: ScenarioPath,
  query: DifferenceQuery,
  response: Difference,
  errors: ["scenario_not_ready", "series_not_found", "input_invalid"],
  run: (ctx, { params, query }) => explainDifference(ctx, { ...query, ...params }),
});
