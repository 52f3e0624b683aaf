import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Accepted } from "#lib/contract/common";
import { Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { getScenario } from "#lib/domain/scenarios/get-scenario";
import { updateScenario } from "#lib/domain/scenarios/update-scenario";

export const GET = defineRoute({
  operationId: "getScenario",
  tag: "Scenarios",
  summary: "Get a scenario",
  description: "With its job's status; once that is `Completed`, with a summary of the predictions.",
  auth: "project",
  params: ScenarioPath,
  response: Scenario,
  etag: true,
  run: (ctx, { params }) => getScenario(ctx, params),
});

export const PATCH = defineRoute({
  operationId: "updateScenario",
  tag: "Scenarios",
  summary: "Change a scenario's title, description or colour",
  description:
    "Send at least one of the three. Its input and its checkpoints never change: clone it instead.",
  auth: "project",
  params: ScenarioPath,
  body: UpdateScenario,
  response: Scenario,
  etag: true,
  ifMatch: true,
  run: (ctx, { params, body }) => updateScenario(ctx, { ...body, ...params }),
});

export const DELETE = defineRoute({
  operationId: "deleteScenario",
  tag: "Scenarios",
  summary: "Delete a scenario",
  description:
    "The scenario is gone from view at once, and no longer holds its checkpoints; a job removes what it stored. A job that is still making it is cancelled.",
  auth: "project",
  params: ScenarioPath,
  response: Accepted,
  status: 202,
  ifMatch: true,
  run: (ctx, { params }) => deleteScenario(ctx, params),
});
