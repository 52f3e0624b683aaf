import type { ScenarioRun } from "#lib/contract/scenario-runs";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { TrainModel } from "#lib/contract/train-model";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { database } from "#lib/platform/database/process-database";
import { beginAttempt } from "#lib/platform/jobs/begin-attempt";
import { endJob } from "#lib/platform/jobs/end-job";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import {
  POST as createRunRoute,
  GET as runsRoute,
} from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/runs/route.ts";
import { callRoute, testContext } from "./api.ts";
import { runJobHere } from "./run-jobs.ts";
import { dailyDemand } from "./sample-series.ts";
import { base64, createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

const all = dailyDemand(260).trim().split("\n");

/** Returns days of demand as CSV. */
export const demandDays = (from: number, to: number) =>
  `${[all[0]!, ...all.slice(1 + from, 1 + to)].join("\n")}\n`;

export const ridge: TrainModel = { algorithm: "ridge", features: { lags: [1, 7] }, horizon: 14 };

/** Creates a project with a model of the first 200 days, until 2023-07-19. The model looks back at its target. */
export const createDailyProject = () =>
  createTrainedProject({
    csv: demandDays(0, 200),
    target: "demand",
    timestamp: "date",
    request: ridge,
  });

/** Adds further days to its dataset. */
export const addDays = ({ projectId }: TrainedProject, from: number, to: number) =>
  appendRows(testContext(), { projectId, fileData: base64(demandDays(from, to)) });

/** Returns a call of a route of a scenario. */
export const ofScenario = (
  { projectId, as }: TrainedProject,
  scenarioId: string,
  query: Record<string, string> = {},
) => ({ params: { projectId, scenarioId }, as, query });

type AcceptedRun = { jobId: string; runId: string; checkpointId: string; status: string };

export const postRun = (project: TrainedProject, scenarioId: string, body: object = {}) =>
  callRoute<AcceptedRun>(createRunRoute, { ...ofScenario(project, scenarioId), body });

/** Runs a scenario again, with its job. */
export async function runAgain(
  project: TrainedProject,
  scenarioId: string,
  body: object = {},
): Promise<AcceptedRun> {
  const answer = await postRun(project, scenarioId, body);
  if (answer.status !== 202) throw new Error(answer.text);
  const job = await runJobHere(answer.data.jobId);
  if (job.status !== "Completed") throw new Error(`${job.errorCode}: ${job.errorMessage}`);
  return answer.data;
}

export const listRuns = async (project: TrainedProject, scenarioId: string) =>
  (await callRoute<ScenarioRun[]>(runsRoute, ofScenario(project, scenarioId))).data;

export async function predictionsOf(
  project: TrainedProject,
  scenarioId: string,
  query: Record<string, string> = {},
): Promise<(number | null)[]> {
  const { data } = await callRoute<PredictionRow[]>(predictionsRoute, ofScenario(project, scenarioId, query));
  return data.map(({ prediction }) => prediction);
}

/** Ends a waiting job as Failed. */
export async function failJob(jobId: string): Promise<void> {
  const db = database();
  const job = (await beginAttempt(db, jobId))!;
  const failure = { code: "internal_error", message: "Something went wrong." };
  const abandon = await abandonOf(job.type);
  await db.transaction((tx) => endJob(tx, job, failure, abandon));
}
