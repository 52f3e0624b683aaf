import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { CreateScenario, Scenario, ScenarioAccepted } from "#lib/contract/scenarios";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { listScenarios } from "#lib/domain/scenarios/list-scenarios";

export const GET = defineRoute({
  operationId: "listScenarios",
  tag: "Scenarios",
  summary: "List the project's scenarios, newest first",
  description: "Each with its job's status. Deleted ones are gone at once.",
  auth: "project",
  params: ProjectPath,
  query: ListQuery,
  response: z.array(Scenario),
  run: async (ctx, { params, query, request }) =>
    pageReply(
      request,
      await listScenarios(ctx, { ...params, limit: query.limit, after: pageStart(request) }),
    ),
});

export const POST = defineRoute({
  operationId: "createScenario",
  tag: "Scenarios",
  summary: "Create a scenario",
  description:
    "From a CSV (`fileData` or `uploadId`), from another scenario with adjustments (`baseScenarioId`), or, with none of these, from generated input up to `endDate`. Without `checkpointId` the current model is saved as a new checkpoint. Every project that this one depends on, directly or not, is named in `dependentProjectCheckpoints` with a checkpoint, or with null to save its current model. The job makes the predictions.",
  auth: "project",
  params: ProjectPath,
  body: CreateScenario,
  fileFields: ["fileData"],
  response: ScenarioAccepted,
  status: 202,
  idempotent: true,
  errors: [
    "no_trained_model",
    "checkpoint_limit_reached",
    "duplicate_label",
    "dependency_has_no_model",
    "dependency_checkpoint_required",
    "dependency_unknown",
    "input_invalid",
    "checkpoint_not_found",
    "scenario_not_found",
    "upload_not_found",
    "scenario_not_ready",
  ],
  run: (ctx, { params, body }) => createScenario(ctx, { ...body, ...params }),
});
