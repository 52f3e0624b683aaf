import { describe, expect, it } from "vitest";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { Prediction } from "#lib/contract/predictions";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { getDataset } from "#lib/domain/datasets/get-dataset";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as generatedRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/generated-inputs/route.ts";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();

const KNOWN = 200;
const PLANNED = 12;
const [header, ...days] = dailyDemand(KNOWN + PLANNED)
  .trim()
  .split("\n") as [string, ...string[]];
/** Rows without a target and with a price that no forecast would give. */
const plans = days.slice(KNOWN).map((line, at) => `${line.split(",")[0]},${(3 + (at % 4) / 8).toFixed(3)},`);
const plan = plans.map((line) => line.split(","));
const planInput = { date: plan.map(([date]) => date), price: plan.map(([, price]) => Number(price)) };
const csv = `${[header, ...days.slice(0, KNOWN), ...plans].join("\n")}\n`;
const settings = { csv, target: "demand", timestamp: "date" };
const lagged: TrainModel = { algorithm: "ridge", features: { lags: [1, 7] } };

async function predictionsOf({ projectId, as }: TrainedProject, { id: scenarioId }: Scenario) {
  const { data } = await callRoute<PredictionRow[]>(predictionsRoute, {
    params: { projectId, scenarioId },
    as,
  });
  return data.map(({ prediction }) => prediction!);
}

async function predict({ projectId, as }: TrainedProject, input: object): Promise<number[]> {
  const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body: { input } });
  return data.predictions;
}

describe("rows of a dataset without a target after the last known one", () => {
  it("are counted, begin generated input with their known inputs, and predict the bits of /predict", async () => {
    const project = await createTrainedProject({ ...settings, request: lagged });
    const dataset = await getDataset(testContext(), { projectId: project.projectId });
    expect(dataset).toMatchObject({
      plannedRows: PLANNED,
      lastTargetTimestamp: "2023-07-19T00:00:00.000Z",
      lastTimestamp: "2023-07-31T00:00:00.000Z",
    });
    const within = await createScenario(project, { endDate: "2023-07-31" });
    expect(within).toMatchObject({ firstTimestamp: "2023-07-20T00:00:00.000Z", rowCount: PLANNED });
    const expected = await predict(project, planInput);
    expect(await predictionsOf(project, within)).toEqual(expected);
    const beyond = await createScenario(project, { endDate: "2023-08-05" });
    expect((await predictionsOf(project, beyond)).slice(0, PLANNED)).toEqual(expected);
    const generated = async ({ id: scenarioId }: Scenario) => {
      const params = { projectId: project.projectId, scenarioId };
      const { data } = await callRoute<GeneratedInputs>(generatedRoute, { params, as: project.as });
      return data.features;
    };
    expect(await generated(within)).toMatchObject([
      { feature: "price", method: "planned in the dataset", plannedRows: PLANNED, error: 0 },
    ]);
    expect(within.warnings.map(({ code }) => code)).not.toContain("generated_input");
    expect(await generated(beyond)).toMatchObject([{ feature: "price", plannedRows: PLANNED }]);
    expect(beyond.warnings.map(({ code }) => code)).toContain("generated_input");
  });

  it("are replaced by appended rows of the same times", async () => {
    const project = await createTrainedProject({ ...settings, request: lagged });
    const { projectId } = project;
    const actuals = `${[header, ...days.slice(KNOWN, KNOWN + 5)].join("\n")}\n`;
    const dataset = await appendRows(testContext(), { projectId, fileData: base64(actuals) });
    expect(dataset).toMatchObject({ rowCount: KNOWN + PLANNED, plannedRows: PLANNED - 5 });
    const next = await createScenario(project, { endDate: "2023-07-31" });
    expect(next).toMatchObject({ firstTimestamp: "2023-07-25T00:00:00.000Z", rowCount: PLANNED - 5 });
    await expect(appendRows(testContext(), { projectId, fileData: base64(actuals) })).rejects.toThrow(
      "the last time of the dataset with a target",
    );
  });

  it("are used by the projects that read the project's predictions", async () => {
    const upstream = await createTrainedProject({ ...settings, name: "Demand" });
    const sales = days
      .slice(0, KNOWN)
      .map((line) => `${line.split(",")[0]},${2 * Number(line.split(",")[2])}`);
    const project = await createTrainedProject({
      name: "Sales",
      csv: `${["date,sales", ...sales].join("\n")}\n`,
      target: "sales",
      timestamp: "date",
      request: { algorithm: "ridge", features: { lags: [], calendar: false } },
      dependencies: [{ projectId: upstream.projectId, featureName: "forecast" }],
    });
    const scenario = await createScenario(project, {
      endDate: "2023-07-31",
      dependentProjectCheckpoints: { [upstream.projectId]: null },
    });
    const forecast = await predict(upstream, planInput);
    expect(await predictionsOf(project, scenario)).toEqual(
      await predict(project, { date: planInput.date, forecast }),
    );
  });
});
