import type { Dataset } from "#lib/contract/datasets";
import type { Prediction } from "#lib/contract/predictions";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { ScenarioValidation } from "#lib/contract/scenarios";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { PUT as datasetRoute } from "../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST as predictRoute } from "../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as validateRoute } from "../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";
import { POST as uploadRoute } from "../app/api/v1/projects/[projectId]/uploads/route.ts";
import { callRoute } from "./api.ts";
import { runJobHere } from "./run-jobs.ts";
import { postScenario, type TrainedProject } from "./scenario-factory.ts";

/** A file in the request, or an earlier upload. */
export type FileSource = { fileData: string } | { uploadId: string };

export const inRequest = (bytes: Uint8Array): FileSource => ({
  fileData: Buffer.from(bytes).toString("base64"),
});

export async function uploaded(project: TrainedProject, bytes: Uint8Array): Promise<FileSource> {
  const { data } = await callRoute<{ uploadId: string }>(uploadRoute, {
    params: { projectId: project.projectId },
    as: project.as,
    body: bytes,
    headers: { "content-type": "text/csv" },
  });
  return { uploadId: data.uploadId };
}

const call = ({ projectId, as }: TrainedProject, body: unknown) => ({ params: { projectId }, as, body });

export const putDataset = (project: TrainedProject, body: object) =>
  callRoute<Dataset>(datasetRoute, { ...call(project, body), method: "PUT" });

export const validate = (project: TrainedProject, body: object) =>
  callRoute<ScenarioValidation>(validateRoute, call(project, body));

/** @param input a string is sent unchanged, because JSON text can contain values that a JavaScript object cannot */
export const predict = (project: TrainedProject, input: object | string, include: string[] = []) => {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return callRoute<Prediction>(
    predictRoute,
    call(project, `{"input":${text},"include":${JSON.stringify(include)}}`),
  );
};

type ScenarioOutcome = { scenarioId: string; job: JobRow; predictions: (number | null)[] };

/** Creates a scenario and runs its job. */
export async function runScenario(project: TrainedProject, body: object): Promise<ScenarioOutcome> {
  const { data, status, text } = await postScenario(project, { ...body });
  if (status !== 202) throw new Error(text);
  const { scenarioId, jobId } = data;
  const job = await runJobHere(jobId);
  if (job.status !== "Completed") return { scenarioId, job, predictions: [] };
  const { projectId, as } = project;
  const rows = await callRoute<PredictionRow[]>(predictionsRoute, {
    params: { projectId, scenarioId },
    as,
    query: { limit: "10000" },
  });
  return { scenarioId, job, predictions: rows.data.map(({ prediction }) => prediction) };
}
