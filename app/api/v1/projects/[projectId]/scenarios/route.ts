import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ProjectPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ScenarioListQuery } from "#lib/contract/scenario-list";
import { CreateScenario, Scenario, ScenarioAccepted } from "#lib/contract/scenarios";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { listScenarios } from "#lib/domain/scenarios/list-scenarios";

export const GET = defineRoute({
  operationId: "listScenarios",
  tag: "Scenarios",
  summary: "List a project's scenarios",
  description:
    "Returns the scenarios that pass every filter, by default newest first. Each has the status of its job. Deleted scenarios disappear immediately.",
  auth: "project",
  params: ProjectPath,
  query: ScenarioListQuery,
  response: z.array(Scenario),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listScenarios(ctx, { ...query, ...params, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createScenario",
  tag: "Scenarios",
  summary: "Create a scenario",
  description:
    "Creates a scenario from one of three inputs: a CSV (`fileData` or `uploadId`), another scenario with adjustments (`baseScenarioId`), or input generated up to `endDate`. If `checkpointId` is omitted, the current model is saved as a new checkpoint. `dependentProjectCheckpoints` must name every upstream project, direct or indirect. Give each a checkpoint, or `null` to save its current model as a new checkpoint. A background job computes the predictions.",
  auth: "project",
  params: ProjectPath,
  body: CreateScenario,
  fileFields: ["fileData"],
  response: ScenarioAccepted,
  status: 202,
  idempotent: true,
  errors: [
    "quota_exceeded",
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
  records: ["scenario.created", "checkpoint.created?", "job-updated"],
  run: (ctx, { params, body }) => createScenario(ctx, { ...body, ...params }),
});
