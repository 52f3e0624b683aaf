import { setTimeout as sleep } from "node:timers/promises";
import type { BenchModel } from "./bench-model.ts";
import type { Answer, Client } from "./http-client.ts";

const POLL_MS = 200;
const MOST_POLLS = 600;

/**
 * Imports the bench's model into the project, unless it is there already. A project with a model that is not the
 * bench's is left alone.
 *
 * @returns null once the project answers with the bench's model, or why it does not
 */
export async function provideModel(
  service: Client,
  projectId: string,
  { name, onnx, model }: BenchModel,
): Promise<string | null> {
  const current = await service.get(`/api/v1/projects/${projectId}/models/current`);
  if (current.status === 200) {
    const { modelName } = dataOf<{ modelName: string }>(current);
    if (modelName === name) return null;
    if (!modelName.startsWith("bench ")) {
      return `the project has a model of its own ("${modelName}"): give the bench a project without one`;
    }
  } else if (current.status !== 404 || codeOf(current) !== "model_not_found") return refusal(current);
  const request = {
    fileData: Buffer.from(onnx).toString("base64"),
    modelName: name,
    target: "y",
    targetMetric: "rmse",
    inputs: model.inputFeatures.map(({ name: feature }, index) => ({ feature, input: "X", index })),
  };
  const accepted = await service.post(`/api/v1/projects/${projectId}/models/import`, JSON.stringify(request));
  if (accepted.status !== 202) return refusal(accepted);
  const { jobId } = dataOf<{ jobId: string }>(accepted);
  for (let poll = 0; poll < MOST_POLLS; poll++) {
    const answer = await service.get(`/api/v1/jobs/${jobId}`);
    if (answer.status !== 200) return refusal(answer);
    const { status, error } = dataOf<{ status: string; error: { message: string } | null }>(answer);
    if (status === "Completed") return null;
    if (status === "Failed" || status === "Cancelled")
      return `the import ended ${status}: ${error?.message ?? ""}`;
    await sleep(POLL_MS);
  }
  return "the service's worker did not import the model: does it run?";
}

function dataOf<T>({ body }: Answer): T {
  return (body as { data: T }).data;
}

function codeOf({ body }: Answer): string | undefined {
  return (body as { error?: { code: string } }).error?.code;
}

function refusal({ status, body }: Answer): string {
  return `the service answered ${status}: ${JSON.stringify(body)}`;
}
