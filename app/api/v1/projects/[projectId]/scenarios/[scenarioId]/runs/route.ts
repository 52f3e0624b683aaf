import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { ScenarioPath } from "#lib/api/path-params";
import { pageReply, pageStart } from "#lib/api/response/pagination";
import { ListQuery } from "#lib/contract/common";
import { RequestRun, RunAccepted, ScenarioRun } from "#lib/contract/scenario-runs";
import { listRuns } from "#lib/domain/scenarios/runs/list-runs";
import { requestRun } from "#lib/domain/scenarios/runs/request-run";

export const GET = defineRoute({
  operationId: "listScenarioRuns",
  tag: "Scenarios",
  summary: "List a scenario's runs",
  description:
    "Returns the runs of a scenario, newest first: the last ones that have completed, as many as `runsKept` of the project, and one that has not. Read an earlier run by `run` or `asOf` of the scenario's other operations.",
  auth: "project",
  params: ScenarioPath,
  query: ListQuery,
  response: z.array(ScenarioRun),
  run: async (ctx, { params, query, request }) =>
    pageReply(request, await listRuns(ctx, { ...query, ...params, after: pageStart(request) })),
});

export const POST = defineRoute({
  operationId: "createScenarioRun",
  tag: "Scenarios",
  summary: "Run a scenario again",
  description:
    "Makes a new run of a scenario, by the same recipe and with the newest known rows. Generated input covers as many steps after the last known row as that of the first run. A scenario that is based on another one adjusts the newest run of that one. An uploaded input stays. A background job computes the predictions. Until it completes, the scenario shows its former run, which stays readable by `run` or `asOf`. A scenario has one open run at a time; a run that failed or was cancelled is replaced.",
  auth: "project",
  params: ScenarioPath,
  body: RequestRun,
  response: RunAccepted,
  status: 202,
  idempotent: true,
  ifMatch: true,
  errors: [
    "quota_exceeded",
    "no_trained_model",
    "checkpoint_limit_reached",
    "dependency_has_no_model",
    "dependency_checkpoint_required",
    "dependency_unknown",
    "input_invalid",
    "checkpoint_not_found",
    "scenario_not_ready",
  ],
  records: ["scenario.run-requested", "checkpoint.created?", "job-updated"],
  run: (ctx, { params, body }) => requestRun(ctx, { ...body, ...params }),
});
