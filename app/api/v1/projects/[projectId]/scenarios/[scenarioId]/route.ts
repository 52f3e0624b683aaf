import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { Accepted } from "#lib/contract/common";
import { RunQuery } from "#lib/contract/scenario-runs";
import { Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { getScenario } from "#lib/domain/scenarios/get-scenario";
import { updateScenario } from "#lib/domain/scenarios/update-scenario";

export const GET = defineRoute({
  operationId: "getScenario",
  tag: "Scenarios",
  summary: "Get a scenario",
  description:
    "Returns a scenario with the status of its job. Once the status is `Completed`, the scenario includes a summary of its predictions. `run` or `asOf` chooses an earlier run.",
  auth: "project",
  params: ScenarioPath,
  query: RunQuery,
  response: Scenario,
  etag: true,
  errors: ["run_not_found"],
  run: (ctx, { params, query }) => getScenario(ctx, { ...params, ...query }),
});

export const PATCH = defineRoute({
  operationId: "updateScenario",
  tag: "Scenarios",
  summary: "Update a scenario",
  description:
    "Changes the title, the description, the notes, the tags or the colour. Send at least one of them. A scenario's recipe never changes: clone the scenario instead. `POST …/runs` runs it again.",
  auth: "project",
  params: ScenarioPath,
  body: UpdateScenario,
  response: Scenario,
  etag: true,
  ifMatch: true,
  records: ["scenario.updated"],
  run: (ctx, { params, body }) => updateScenario(ctx, { ...body, ...params }),
});

export const DELETE = defineRoute({
  operationId: "deleteScenario",
  tag: "Scenarios",
  summary: "Delete a scenario",
  description:
    "The scenario disappears immediately and no longer uses its checkpoints. A background job removes its data. If the job that creates the scenario is still open, the service cancels it.",
  auth: "project",
  params: ScenarioPath,
  response: Accepted,
  status: 202,
  ifMatch: true,
  records: ["scenario.deleted", "job.cancelled?", "checkpoint-failed?", "job-updated"],
  run: (ctx, { params }) => deleteScenario(ctx, params),
});
