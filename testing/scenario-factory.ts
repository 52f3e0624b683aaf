import type { z } from "zod";
import type { PutDataset } from "#lib/contract/dataset-requests";
import type { Scenario, ScenarioAccepted } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { requestTraining } from "#lib/domain/models/request-training";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { GET as scenarioRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { POST as createRoute } from "../app/api/v1/projects/[projectId]/scenarios/route.ts";
import { callRoute, createKey, createProject, type TestKey, testContext } from "./api.ts";
import { runJobHere } from "./run-jobs.ts";

export const base64 = (content: string | Uint8Array) => Buffer.from(content as Uint8Array).toString("base64");

export type TrainedProject = { projectId: string; as: TestKey };

/** Creates a project with a dataset, and trains a model on it with the real trainer. */
export async function createTrainedProject({
  name = "Demand",
  csv,
  request = { algorithm: "ridge", features: { lags: [], calendar: true } },
  dependencies = [],
  ...settings
}: {
  name?: string;
  csv: string | Uint8Array;
  request?: TrainModel;
  dependencies?: { projectId: string; featureName: string }[];
} & Omit<PutDataset, "fileData" | "uploadId">): Promise<TrainedProject> {
  const ctx = testContext();
  const { id: projectId } = await createProject({ name });
  await putDataset(ctx, { projectId, fileData: base64(csv), ...settings });
  if (dependencies.length > 0) await setDependencies(ctx, { projectId, dependencies });
  await train(projectId, request);
  return { projectId, as: await createKey({ projectId }) };
}

export async function train(projectId: string, request: TrainModel): Promise<void> {
  const { jobId } = await requestTraining(testContext(), { projectId, request });
  const job = await runJobHere(jobId);
  if (job.status !== "Completed") throw new Error(`Training failed: ${job.errorMessage}`);
}

export type Accepted = z.infer<typeof ScenarioAccepted>;

export function postScenario({ projectId, as }: TrainedProject, body: Record<string, unknown>) {
  return callRoute<Accepted>(createRoute, {
    params: { projectId },
    as,
    body: { title: "Scenario", ...body },
  });
}

export async function getScenario({ projectId, as }: TrainedProject, scenarioId: string): Promise<Scenario> {
  return (await callRoute<Scenario>(scenarioRoute, { params: { projectId, scenarioId }, as })).data;
}

/** Creates a scenario, runs its job, and returns the scenario. */
export async function createScenario(
  project: TrainedProject,
  body: Record<string, unknown>,
): Promise<Scenario> {
  const accepted = await postScenario(project, body);
  if (accepted.status !== 202) throw new Error(accepted.text);
  const job = await runJobHere(accepted.data.jobId);
  if (job.status !== "Completed") throw new Error(`${job.errorCode}: ${job.errorMessage}`);
  return getScenario(project, accepted.data.scenarioId);
}
