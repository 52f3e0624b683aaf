import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { Extrapolations, ExtrapolationsQuery } from "#lib/contract/extrapolation";
import { getExtrapolations } from "#lib/domain/comparison/get-extrapolation";

export const GET = defineRoute({
  operationId: "listExtrapolations",
  tag: "Scenarios",
  summary: "Get the extrapolation of several scenarios",
  description:
    "Returns the same as `…/scenarios/{scenarioId}/extrapolation` for up to 20 scenarios. `run` or `asOf` chooses earlier runs.",
  auth: "project",
  params: ProjectPath,
  query: ExtrapolationsQuery,
  response: Extrapolations,
  errors: ["scenario_not_found", "run_not_found", "checkpoint_not_found", "scenario_not_ready"],
  run: (ctx, { params, query }) => getExtrapolations(ctx, { ...query, ...params }),
});
