import { expect, it } from "vitest";
import { requestImport } from "#lib/domain/models/request-import";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { INT64, modelFile, node, tensorInfo } from "#testing/onnx-models";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { POST as goalSeekRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/goal-seek/route.ts";
import { POST as previewRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";
import { GET as sensitivityRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/sensitivity/route.ts";

await createTestDatabase();

const whole = modelFile({
  nodes: [node("Identity", ["X"], ["Y"])],
  inputs: [tensorInfo("X", INT64, ["N", 1])],
  outputs: [tensorInfo("Y", INT64, ["N", 1])],
});

async function importedProject(): Promise<string> {
  const { id: projectId } = await createProject();
  const fileData = Buffer.from(whole).toString("base64");
  const request = { fileData, modelName: "Whole numbers", target: "y", targetMetric: "mae" } as const;
  const { jobId } = await requestImport(testContext(), { projectId, request });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  return projectId;
}

function expectRejected({ status, error }: Pick<Awaited<ReturnType<typeof callRoute>>, "status" | "error">) {
  const message = expect.stringContaining('takes whole numbers, but the feature "X" is');
  expect([status, error?.code, error?.message]).toEqual([400, "input_invalid", message]);
  const place = { row: expect.any(Number), column: "X" };
  expect(error?.details).toMatchObject([{ code: "model_rejected", ...place }]);
}

it("names the changed value that an imported model rejects", async () => {
  const projectId = await importedProject();
  const as = await createKey({ projectId });
  const { id: scenarioId } = await createScenario({ projectId, as }, { fileData: base64("X\n1\n2\n") });
  const call = { params: { projectId, scenarioId }, as };
  const adjustments = [{ feature: "X", operation: "add", value: 0.5 }];
  const levers = [{ feature: "X", operation: "add", min: 0.5, max: 1, step: 0.5 }];
  const goal = { statistic: "sum", relation: "atLeast", value: 4 };
  expectRejected(await callRoute(previewRoute, { ...call, body: { adjustments } }));
  expectRejected(await callRoute(sensitivityRoute, call));
  expectRejected(await callRoute(goalSeekRoute, { ...call, body: { levers, goal } }));
});

it("names the value that the imported model of an upstream project rejects", async () => {
  const upstream = await importedProject();
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${3 * (i % 7) + (i % 4)}`);
  const project = await createTrainedProject({
    csv: `X,cost\n${rows.join("\n")}\n`,
    target: "cost",
    request: { algorithm: "ridge" },
    dependencies: [{ projectId: upstream, featureName: "y" }],
  });
  const call = { params: { projectId: project.projectId }, as: project.as };
  expectRejected(await callRoute(predictRoute, { ...call, body: { input: { X: [2.5] } } }));
});
