import { beforeAll, describe, expect, it } from "vitest";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { callRoute, createKey, createProject, type TestKey, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as trainRoute } from "../../../app/api/v1/projects/[projectId]/models/train/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";

await createTestDatabase();
const ROWS = 240;

/** Daily visitors: fewer at a higher price, more on two weekdays. `margin` is sometimes negative. */
function visitors(): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const day = new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10);
    const price = 2 + ((i * 31) % 17) / 2;
    const count = Math.round(60 - 4 * price + (i % 7 < 2 ? 20 : 0) + 8 * Math.sin(i * i));
    return `${day},${price},${i % 2 ? "red" : "blue"},${count},${count - 40}`;
  });
  return `day,price,colour,count,margin\n${rows.join("\n")}\n`;
}

let as: TestKey;
let params: { projectId: string };
const train = (body: unknown) => callRoute<{ jobId: string }>(trainRoute, { params, as, body });

async function project(target: string, exclude: string[]) {
  const { id: projectId } = await createProject();
  const fileData = Buffer.from(visitors()).toString("base64");
  await putDataset(testContext(), { projectId, fileData, target, timestamp: "day", exclude });
  [params, as] = [{ projectId }, await createKey({ projectId })];
}

async function trained(body: unknown): Promise<Model> {
  const job = await runJobHere((await train(body)).data.jobId);
  expect([job.status, job.errorMessage]).toEqual(["Completed", null]);
  return (await callRoute<Model>(currentRoute, { params, as })).data;
}

async function predictAt(prices: number[]): Promise<number[]> {
  const input = {
    day: prices.map(() => "2023-09-04"),
    price: prices,
    colour: prices.map(() => "red"),
  };
  const { data } = await callRoute<Prediction>(predictRoute, { params, as, body: { input } });
  return data.predictions;
}

beforeAll(() => project("count", ["margin"]));

describe("POST models/train", () => {
  const boosting = { rounds: 60, learningRate: 0.1, earlyStopping: false };

  it("auto keeps a leaderboard: each candidate's settings, back-tests, rung, seconds and, for the last rung, validation", async () => {
    const { leaderboard, algorithm } = await trained({ horizon: 7 });
    expect(leaderboard.filter(({ chosen }) => chosen)).toEqual([leaderboard[0]]);
    expect(leaderboard[0]).toMatchObject({
      algorithm,
      rung: 3,
      settings: expect.any(Object),
      backTest: { metric: "rmse", folds: Array(3).fill(expect.any(Number)), mean: expect.any(Number) },
      validation: { rmse: expect.any(Number) },
      seconds: expect.any(Number),
    });
    expect(new Set(leaderboard.map((entry) => entry.rung))).toEqual(new Set([1, 2, 3, undefined]));
    expect(leaderboard.at(-1)).toMatchObject({ algorithm: "baseline" });
  }, 60_000); // Back-tests each candidate.

  it.each([
    ["elastic_net", { alpha: 0.1, l1Ratio: 0.5 }, "Elastic net"],
    ["seasonal_naive", undefined, "Last value"],
    ["gradient_boosting", { ...boosting, loss: "absolute", l1: 1 }, "Gradient boosting"],
    ["auto", { ...boosting, loss: "poisson" }, "Gradient boosting"],
  ])("trains %s with %j", async (algorithm, hyperparameters, modelName) => {
    const model = await trained({ algorithm, hyperparameters, horizon: 7 });
    expect(model.modelName).toBe(modelName);
    expect(model.leaderboard[0]).toMatchObject({ chosen: true, settings: hyperparameters ?? {} });
    const [value] = await predictAt([5]);
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(100);
  });

  it("a quantile loss predicts the quantile, and is scored by that loss", async () => {
    const at = async (quantile: number) => {
      const hyperparameters = { ...boosting, loss: "quantile", quantile };
      const model = await trained({ hyperparameters, features: { lags: [] } });
      expect(model.leaderboard[0]).toMatchObject({ backTest: { metric: "pinball" } });
      const { actual, predicted } = model.validation!;
      return actual.filter((value, i) => value! <= predicted[i]!).length / actual.length;
    };
    expect(await at(0.1)).toBeLessThan(0.4);
    expect(await at(0.9)).toBeGreaterThan(0.6);
  });

  it("monotonic directions hold at every price", async () => {
    const monotone = { price: "decreasing" };
    const model = await trained({ hyperparameters: { ...boosting, monotone }, features: { lags: [] } });
    expect(model.leaderboard[0]).toMatchObject({ settings: { monotone: "price decreasing" } });
    const predictions = await predictAt(Array.from({ length: 30 }, (_, i) => 1 + i / 3));
    expect(predictions).toEqual(predictions.toSorted((a, b) => b - a));
    expect(predictions[0]).toBeGreaterThan(predictions.at(-1)! + 10);
  });

  it.each([
    [{ hyperparameters: { quantile: 0.9 } }, "hyperparameters.quantile"],
    [{ hyperparameters: { loss: "quantile" } }, "hyperparameters.quantile"],
    [{ hyperparameters: { loss: "huber" } }, "hyperparameters.loss"],
    [{ algorithm: "ridge", hyperparameters: { loss: "absolute" } }, "hyperparameters.loss"],
    [
      { algorithm: "elastic_net", hyperparameters: { monotone: { price: "increasing" } } },
      "hyperparameters.monotone",
    ],
    [{ algorithm: "seasonal_naive", hyperparameters: { l1: 1 } }, "hyperparameters.l1"],
    [{ algorithm: "ridge", hyperparameters: { l1Ratio: 0.5 } }, "hyperparameters.l1Ratio"],
    [{ algorithm: "elastic_net", hyperparameters: { l1Ratio: 2 } }, "hyperparameters.l1Ratio"],
    [{ algorithm: "seasonal_naive", features: { lags: [1] } }, "features.lags"],
    [{ hyperparameters: { monotone: { prise: "increasing" } } }, "hyperparameters.monotone"],
    [{ hyperparameters: { monotone: { colour: "increasing" } } }, "hyperparameters.monotone"],
    [{ hyperparameters: { monotone: { price: "up" } } }, "hyperparameters.monotone.price"],
  ])("rejects %j with the field: %s", async (body, field) => {
    const { status, error } = await train(body);
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
    expect(error?.details).toContainEqual(expect.objectContaining({ field }));
  });

  it("fails with the reason if the loss is undefined for some target values", async () => {
    await project("margin", ["count"]);
    const job = await runJobHere((await train({ hyperparameters: { loss: "poisson" } })).data.jobId);
    expect(job).toMatchObject({ status: "Failed", errorCode: "training_impossible" });
    expect(job.errorMessage).toContain('"margin" has negative values');
  });
});
