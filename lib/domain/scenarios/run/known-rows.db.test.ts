import { describe, expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { Contributions, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as contributionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();

/** A model that looks back at its target. It is trained on the first 200 days of the data. */
const all = dailyDemand(240).trim().split("\n");
const header = all[0]!;
const known = (from: number, to: number) => `${[header, ...all.slice(1 + from, 1 + to)].join("\n")}\n`;

const project = await createTrainedProject({
  csv: known(0, 200),
  target: "demand",
  timestamp: "date",
  request: { algorithm: "gradient_boosting", features: { lags: [1, 7] }, hyperparameters: { rounds: 60 } },
});

const of = ({ id: scenarioId }: Scenario, rest: object = {}) => ({
  params: { projectId: project.projectId, scenarioId },
  as: project.as,
  ...rest,
});
async function predictionsOf(scenario: Scenario): Promise<number[]> {
  const { data } = await callRoute<PredictionRow[]>(predictionsRoute, of(scenario));
  return data.map(({ prediction }) => prediction!);
}

describe("a scenario of a model that looks back at its target", () => {
  it("has predictions bit-identical to predict's for the same rows", async () => {
    // Twenty known days and the twenty days after them, which covers both ways of looking back.
    const lines = all.slice(1 + 180, 1 + 220).map((line) => line.split(","));
    const scenario = await createScenario(project, { fileData: base64(known(180, 220)) });
    const { data } = await callRoute<Prediction>(predictRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      body: {
        checkpointId: scenario.checkpointId,
        input: { date: lines.map(([date]) => date), price: lines.map(([, price]) => Number(price)) },
      },
    });
    expect(await predictionsOf(scenario)).toEqual(data.predictions);
  });

  it("returns the contributions of a row as predicted with the other rows", async () => {
    const scenario = await createScenario(project, { endDate: "2023-08-20" });
    const predictions = await predictionsOf(scenario);
    const { data } = await callRoute<Contributions>(
      contributionsRoute,
      of(scenario, { query: { rows: "3,30" } }),
    );
    expect(data.predictions).toEqual([predictions[2], predictions[29]]);
    for (const [index, values] of data.values.entries()) {
      expect(values.reduce((sum, value) => sum + value, data.baseValue)).toBeCloseTo(
        data.predictions[index]!,
        9,
      );
    }
    expect(data.features).toContain("demand");
  });

  it("begins after the newest actuals and looks back at them; scenarios from an older base stay comparable", async () => {
    const before = await createScenario(project, { endDate: "2023-08-15" });
    expect(before.firstTimestamp).toBe("2023-07-20T00:00:00.000Z");
    const early = await createScenario(project, {
      fileData: base64(known(190, 220)),
      checkpointId: before.checkpointId,
    });
    const earlier = await predictionsOf(early);
    await appendRows(testContext(), { projectId: project.projectId, fileData: base64(known(200, 210)) });

    const after = await createScenario(project, { endDate: "2023-08-15", checkpointId: before.checkpointId });
    expect(after).toMatchObject({ firstTimestamp: "2023-07-30T00:00:00.000Z", rowCount: 17 });
    const overlap = (await predictionsOf(before)).slice(10);
    expect(await predictionsOf(after)).not.toEqual(overlap);

    const clone = await createScenario(project, {
      baseScenarioId: before.id,
      checkpointId: before.checkpointId,
    });
    expect(await predictionsOf(clone)).toEqual(await predictionsOf(before));
    const newest = await createScenario(project, {
      baseScenarioId: after.id,
      checkpointId: before.checkpointId,
    });
    expect(await predictionsOf(newest)).toEqual(await predictionsOf(after));

    // Predict and a file with the same rows look back at the newest actuals too, for known, new and future days.
    const lines = all.slice(1 + 190, 1 + 220).map((line) => line.split(","));
    const uploaded = await createScenario(project, {
      fileData: base64(known(190, 220)),
      checkpointId: before.checkpointId,
    });
    const { data } = await callRoute<Prediction>(predictRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      body: {
        checkpointId: before.checkpointId,
        input: { date: lines.map(([date]) => date), price: lines.map(([, price]) => Number(price)) },
      },
    });
    expect(data.predictions).toEqual(await predictionsOf(uploaded));
    expect(data.predictions.slice(20)).not.toEqual(earlier.slice(20));
  });

  it("forecasts from the last known target if the dataset's newest rows have only inputs", async () => {
    const request: TrainModel = { algorithm: "ridge", features: { lags: [1, 7] } };
    const settings = { target: "demand", timestamp: "date", request };
    const plain = await createTrainedProject({ csv: known(0, 200), ...settings });
    const open = all.slice(1 + 200, 1 + 212).map((line) => line.replace(/[^,]*$/, ""));
    const planned = await createTrainedProject({
      csv: `${known(0, 200)}${open.join("\n")}\n`,
      ...settings,
    });
    const lines = open.map((line) => line.split(","));
    const input = { date: lines.map(([date]) => date), price: lines.map(([, price]) => Number(price)) };
    const [expected, found] = await Promise.all(
      [plain, planned].map(({ projectId, as }) =>
        callRoute<Prediction>(predictRoute, {
          params: { projectId },
          as,
          body: { input, include: ["intervals"] },
        }),
      ),
    );
    expect(found!.data.predictions).toEqual(expected!.data.predictions);
    expect(found!.data.intervals).toEqual(expected!.data.intervals);
  });
});
