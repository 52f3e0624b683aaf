import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Contributions, ContributionsQuery } from "#lib/contract/scenario-series";
import { explainPredictions } from "#lib/domain/stored-predictions/explain-predictions";

export const GET = defineRoute({
  operationId: "explainPredictions",
  tag: "Scenarios",
  summary: "Get feature contributions",
  description:
    "Returns the contribution of each feature for up to 100 rows, numbered from 1. `baseValue` plus a row's values equals its prediction, on the `scale`. `run` or `asOf` chooses an earlier run, whose contributions exist until its checkpoint is deleted.",
  auth: "project",
  params: ScenarioPath,
  query: ContributionsQuery,
  response: Contributions,
  errors: ["run_not_found", "checkpoint_not_found", "scenario_not_ready", "input_invalid"],
  run: (ctx, { params, query }) => explainPredictions(ctx, { ...params, ...query }),
});
