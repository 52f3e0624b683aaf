import { expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { requestImport } from "#lib/domain/models/request-import";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { callRoute, createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";

await createTestDatabase();

const dayOf = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const linesOf = (names: string, from: number, to: number, cells: (at: number) => string) =>
  `${["day", names].join()}\n${Array.from({ length: to - from }, (_, i) => `${dayOf(from + i)},${cells(from + i)}`).join("\n")}\n`;

it("takes the previous day's upstream prediction for a day whose inputs are missing", async () => {
  const wind = (at: number) => 10 + 3 * Math.sin(at) + Math.cos(3 * at);
  const power = await createTrainedProject({
    csv: linesOf("wind,power", 0, 120, (at) => `${wind(at)},${2 * wind(at) + Math.sin(0.3 * at)}`),
    target: "power",
    timestamp: "day",
  });
  const cost = await createTrainedProject({
    csv: linesOf("cost", 0, 120, (at) => `${5 + 4 * wind(at) + Math.cos(0.7 * at)}`),
    target: "cost",
    timestamp: "day",
    dependencies: [{ projectId: power.projectId, featureName: "power" }],
  });
  await appendRows(testContext(), {
    projectId: power.projectId,
    fileData: base64(linesOf("wind,power", 120, 124, (at) => (at === 122 ? ",25" : `${wind(at)},25`))),
  });
  const scenario = await createScenario(cost, {
    dependentProjectCheckpoints: { [power.projectId]: null },
    endDate: dayOf(126),
  });
  const { data } = await callRoute<ScenarioRows>(rowsRoute, {
    params: { projectId: cost.projectId, scenarioId: scenario.id },
    as: cost.as,
  });
  expect(scenario.rowCount).toBe(7);
  const place = data.columns.findIndex(({ name }) => name === "power");
  const values = data.rows.map(({ input }) => input[place]);
  expect(values.every(Number.isFinite)).toBe(true);
  expect(values[2]).toBe(values[1]);
  expect(values[3]).not.toBe(values[2]);
});

it("predicts with appended rows if the upstream model knows no times", async () => {
  const { id: power } = await createProject();
  const model = linearToOnnx(
    { kind: "linear", coefficients: Float64Array.of(3), intercept: 1, means: Float64Array.of(0) },
    {},
  );
  const { jobId } = await requestImport(testContext(), {
    projectId: power,
    request: {
      fileData: Buffer.from(model).toString("base64"),
      modelName: "Power",
      target: "power",
      targetMetric: "mae",
      inputs: [{ feature: "wind" }],
    },
  });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  const wind = (at: number) => Math.sin(1.3 * at) + Math.cos(0.3 * at);
  const cost = await createTrainedProject({
    csv: linesOf("wind,cost", 0, 120, (at) => `${wind(at)},${5 + 4 * wind(at) + Math.cos(0.7 * at)}`),
    target: "cost",
    timestamp: "day",
    request: { algorithm: "gradient_boosting", features: { lags: [1] }, hyperparameters: { rounds: 20 } },
    dependencies: [{ projectId: power, featureName: "power" }],
  });
  await appendRows(testContext(), {
    projectId: cost.projectId,
    fileData: base64(linesOf("wind,cost", 120, 124, (at) => `${wind(at)},5`)),
  });
  const scenario = await createScenario(cost, {
    dependentProjectCheckpoints: { [power]: null },
    fileData: base64(linesOf("wind", 124, 126, (at) => `${wind(at)}`)),
  });
  const { data } = await callRoute<Prediction>(predictRoute, {
    params: { projectId: cost.projectId },
    as: cost.as,
    body: { input: { day: [dayOf(124), dayOf(125)], wind: [wind(124), wind(125)] } },
  });
  const [first, last] = data.predictions;
  expect(scenario.summary).toMatchObject({ first, last });
});

it("widens no intervals for an upstream prediction that is now made from known rows", async () => {
  const wind = (at: number) => 10 + 3 * Math.sin(at) + Math.cos(3 * at);
  const windPower = (at: number) => `${wind(at)},${2 * wind(at) + Math.sin(0.3 * at)}`;
  const power = await createTrainedProject({
    csv: linesOf("wind,power", 0, 120, windPower),
    target: "power",
    timestamp: "day",
  });
  const cost = await createTrainedProject({
    csv: linesOf("load,cost", 0, 120, (at) => `${at % 5},${(at % 5) + 4 * wind(at)}`),
    target: "cost",
    timestamp: "day",
    dependencies: [{ projectId: power.projectId, featureName: "power" }],
  });
  const dependentProjectCheckpoints = { [power.projectId]: null };
  const fileData = base64(linesOf("load", 120, 124, (at) => `${at % 5}`));
  const base = await createScenario(cost, { fileData, dependentProjectCheckpoints });
  expect(base.summary!.generatedShare).toBeGreaterThan(0);
  await appendRows(testContext(), {
    projectId: power.projectId,
    fileData: base64(linesOf("wind,power", 120, 124, windPower)),
  });
  const { checkpointId } = base;
  const again = { checkpointId, dependentProjectCheckpoints };
  const sent = await createScenario(cost, { ...again, fileData });
  expect(sent.summary!.generatedShare).toBeNull();
  const clone = await createScenario(cost, { ...again, baseScenarioId: base.id });
  expect(clone.summary).toEqual(sent.summary);
});
