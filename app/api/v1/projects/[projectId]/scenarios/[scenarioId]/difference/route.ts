import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Difference, DifferenceQuery } from "#lib/contract/scenario-differences";
import { explainDifference } from "#lib/domain/comparison/explain-difference";

export const GET = defineRoute({
  operationId: "explainDifference",
  tag: "Scenarios",
  summary: "Why a scenario differs from another one",
  description:
    "The difference from `baselineId`, in total and at each point, split into what is different between the two: each input feature, other projects' predictions, the checkpoint. The parts are Shapley values and add up to the whole. Totals are over every row that both have between `from` and `to`; `maxPoints` (1,000 without it) thins out only the points that are sent.",
  auth: "project",
  params: ScenarioPath,
  query: DifferenceQuery,
  response: Difference,
  errors: ["scenario_not_ready"],
  run: (ctx, { params, query }) => explainDifference(ctx, { ...query, ...params }),
});
