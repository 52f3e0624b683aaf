import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { POST as importRoute } from "../app/api/v1/projects/[projectId]/models/import/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { runJobHere } from "./run-jobs.ts";
import type { TrainedProject } from "./scenario-factory.ts";

/** Creates a project into which `start` imports models. */
export async function newImportProject() {
  return startImports((await createProject()).id);
}

async function startImports(projectId: string) {
  const as = await createKey({ projectId });
  const start = (body: unknown) =>
    callRoute<{ jobId: string; status: string }>(importRoute, { params: { projectId }, as, body });
  return { projectId, as, start };
}

/** Imports the model y = 3 x − 2 z + 1 into a project. */
export async function importLinear(projectId: string): Promise<TrainedProject> {
  const { as, start } = await startImports(projectId);
  const linear = linearToOnnx(
    { kind: "linear", coefficients: Float64Array.of(3, -2), intercept: 1, means: Float64Array.of(0, 0) },
    {},
  );
  const { data } = await start({
    fileData: Buffer.from(linear).toString("base64"),
    modelName: "From elsewhere",
    target: "y",
    targetMetric: "mae",
    inputs: [{ feature: "x" }, { feature: "z" }],
  });
  const { status } = await runJobHere(data.jobId);
  if (status !== "Completed") throw new Error(`The import ended ${status}`);
  return { projectId, as };
}
