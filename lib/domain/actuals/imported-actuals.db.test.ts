import { expect, test } from "vitest";
import type { ScenarioActuals } from "#lib/contract/actuals";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { requestImport } from "#lib/domain/models/request-import";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { FLOAT, modelFile, node, tensorInfo } from "#testing/onnx-models";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario } from "#testing/scenario-factory";
import { GET as actualsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";

await createTestDatabase();

test("compares an imported model of a true-or-false target with the actuals", async () => {
  const { id: projectId } = await createProject();
  const rows = Array.from({ length: 40 }, (_, row) => {
    const day = new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);
    return [day, (row % 5) / 4, row % 5 > 1];
  });
  const settings = { target: "sold", timestamp: "day" };
  const fileData = base64(`day,share,sold\n${rows.join("\n")}\n`);
  await putDataset(testContext(), { projectId, fileData, ...settings });
  const identity = modelFile({
    nodes: [node("Identity", ["share"], ["Y"])],
    inputs: [tensorInfo("share", FLOAT, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  });
  const request = {
    fileData: Buffer.from(identity).toString("base64"),
    modelName: "Share",
    target: "sold",
    targetMetric: "mae" as const,
  };
  const { jobId } = await requestImport(testContext(), { projectId, request });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  const as = await createKey({ projectId });
  const planned = rows.slice(30).map(([day, share]) => `${day},${share}`);
  const scenario = await createScenario(
    { projectId, as },
    { fileData: base64(`day,share\n${planned.join("\n")}\n`) },
  );
  const params = { projectId, scenarioId: scenario.id };
  const { data } = await callRoute<ScenarioActuals>(actualsRoute, { params, as });
  expect(data).toMatchObject({ reason: null, knownUntil: "2024-02-09T00:00:00.000Z", errors: { rows: 10 } });
  expect(data.actual).toEqual(rows.slice(30).map(([, , sold]) => Number(sold)));
});
