import { expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import { requestImport } from "#lib/domain/models/request-import";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { FLOAT, modelFile, node, tensorInfo } from "#testing/onnx-models";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";

await createTestDatabase();

it("has no contributions where an imported model returns no finite number", async () => {
  const { id: projectId } = await createProject();
  // y = 1 / (a - b)
  const model = modelFile({
    nodes: [node("Sub", ["a", "b"], ["difference"]), node("Reciprocal", ["difference"], ["y"])],
    inputs: [tensorInfo("a", FLOAT, ["N", 1]), tensorInfo("b", FLOAT, ["N", 1])],
    outputs: [tensorInfo("y", FLOAT, ["N", 1])],
  });
  const labelled = Array.from({ length: 30 }, (_, i) => `${2 + (i % 3)},${i % 2},${1 / (2 + (i % 3))}`);
  const { jobId } = await requestImport(testContext(), {
    projectId,
    request: {
      fileData: Buffer.from(model).toString("base64"),
      modelName: "Reciprocal",
      target: "y",
      targetMetric: "mae",
      labelledRows: base64(`a,b,y\n${labelled.join("\n")}\n`),
    },
  });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  const as = await createKey({ projectId });
  const scenario = await createScenario({ projectId, as }, { fileData: base64("a,b\n4,0\n1,1\n") });
  const { status, error } = await callRoute(contributionsRoute, {
    params: { projectId, scenarioId: scenario.id },
    as,
    query: { rows: "1,2" },
  });
  expect([status, error?.details]).toEqual([
    400,
    [expect.objectContaining({ field: "rows", row: 2, code: "not_finite" })],
  ]);
  // The typical a is 3, so the actual b of 3 alone gives no number.
  const { data } = await callRoute<Prediction>(predictRoute, {
    params: { projectId },
    as,
    body: { input: { a: [5], b: [3] }, include: ["contributions"] },
  });
  expect(data.predictions).toEqual([0.5]);
  expect(data.warnings).toContainEqual(expect.objectContaining({ code: "no_contributions" }));
});
