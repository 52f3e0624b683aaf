import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { ScenarioFilters } from "#lib/contract/scenario-list";
import { getScenarioFilters } from "#lib/domain/scenarios/get-scenario-filters";

export const GET = defineRoute({
  operationId: "getScenarioFilters",
  tag: "Scenarios",
  summary: "Get the filters of a project's scenarios",
  description: "Returns the tags and creators of the project's scenarios, as values for the list's filters.",
  auth: "project",
  params: ProjectPath,
  response: ScenarioFilters,
  run: (ctx, { params }) => getScenarioFilters(ctx, params),
});
