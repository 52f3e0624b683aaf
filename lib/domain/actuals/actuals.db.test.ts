import { describe, expect, it } from "vitest";
import type { CheckpointRecord, ModelChanges, ScenarioActuals } from "#lib/contract/actuals";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { TrainModel } from "#lib/contract/train-model";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject, train } from "#testing/scenario-factory";
import { GET as recordRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/record/route.ts";
import { GET as changesRoute } from "../../../app/api/v1/projects/[projectId]/models/[modelId]/changes/route.ts";
import { GET as currentModelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as actualsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();

/** 240 days. The model is trained on the first 200 and looks back at its target. */
const all = dailyDemand(240).trim().split("\n");
const header = all[0]!;
const days = (from: number, to: number) => `${[header, ...all.slice(1 + from, 1 + to)].join("\n")}\n`;
const demandOf = (line: string) => Number(line.split(",")[2]);
const append = (from: number, to: number) =>
  appendRows(testContext(), { projectId: project.projectId, fileData: base64(days(from, to)) });

const project = await createTrainedProject({
  csv: days(0, 200),
  target: "demand",
  timestamp: "date",
  request: { algorithm: "ridge", features: { lags: [1, 7] }, horizon: 14 },
});

const as = () => ({ as: project.as });
async function actualsOf(scenarioId: string, query: Record<string, string> = {}): Promise<ScenarioActuals> {
  const params = { projectId: project.projectId, scenarioId };
  return (await callRoute<ScenarioActuals>(actualsRoute, { params, query, ...as() })).data;
}
async function recordOf(checkpointId: string, { projectId, as } = project): Promise<CheckpointRecord> {
  return (await callRoute<CheckpointRecord>(recordRoute, { params: { projectId, checkpointId }, as })).data;
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("actuals", () => {
  it("are reported as missing before they arrive, for a scenario and for a checkpoint", async () => {
    const scenario = await createScenario(project, { endDate: "2023-08-18" });
    const actuals = await actualsOf(scenario.id);
    expect(actuals).toMatchObject({ errors: null, rowCount: 30, timestamps: [], learnedRows: 0 });
    expect(actuals.reason).toContain("2023-07-19");
    const record = await recordOf(scenario.checkpointId!);
    expect(record).toMatchObject({ errors: null, periods: [], madeUntil: "2023-07-19T00:00:00.000Z" });
    expect(record.reason).toContain("No actual values have arrived since 2023-07-19");
  });

  it("give a scenario's RMSE, MAE, bias and coverage over the past part of its period", async () => {
    const scenario = await createScenario(project, { endDate: "2023-08-18" });
    const params = { projectId: project.projectId, scenarioId: scenario.id };
    const levels = { levels: "0.5" };
    const query = { query: levels };
    const { data: rows } = await callRoute<PredictionRow[]>(predictionsRoute, { params, ...query, ...as() });
    await append(200, 220);
    const { errors, ...rest } = await actualsOf(scenario.id, levels);
    const past = rows.slice(0, 20).map((row, index) => ({ ...row, actual: demandOf(all[201 + index]!) }));
    const misses = past.map(({ prediction, actual }) => prediction! - actual);
    expect(errors).toMatchObject({ rows: 20 });
    expect(errors?.mae).toBeCloseTo(mean(misses.map(Math.abs)), 9);
    expect(errors?.rmse).toBeCloseTo(Math.sqrt(mean(misses.map((miss) => miss * miss))), 9);
    expect(errors?.bias).toBeCloseTo(mean(misses), 9);
    const inside = past.filter(({ actual, lower, upper }) => actual >= lower! && actual <= upper!);
    expect(errors?.coverage).toBeCloseTo(inside.length / 20, 9);
    expect(rest).toMatchObject({ reason: null, learnedRows: 0, knownUntil: "2023-08-08T00:00:00.000Z" });
    expect(rest.actual).toEqual([...past.map(({ actual }) => actual), ...new Array(10).fill(null)]);
    expect(rest.predicted).toEqual(rows.map(({ prediction }) => prediction));
    expect(rest.levels![0]!.upper).toEqual(rows.map((row) => row.levels![0]!.upper));

    // The naive forecast starts where the scenario starts and repeats the last season known by then.
    const { data: model } = await callRoute<Model>(currentModelRoute, { params, ...as() });
    expect(model.leaderboard.at(-1)?.name).toBe(`Baseline: ${rest.baselineName}`);
    const season = Number(/\d+/.exec(rest.baselineName!)?.[0] ?? 1);
    const naive = past.map((_, index) => demandOf(all[201 - season + (index % season)]!));
    expect(rest.baseline.slice(0, 20)).toEqual(naive);
    expect(errors?.baseline.mae).toBeCloseTo(
      mean(naive.map((value, index) => Math.abs(value - past[index]!.actual))),
      9,
    );

    const week = await actualsOf(scenario.id, { from: "2023-07-20", to: "2023-07-26", maxPoints: "4" });
    expect(week.errors?.rows).toBe(7);
    expect(week.timestamps).toHaveLength(4);
    expect([week.timestamps[0], week.timestamps[3]]).toEqual([
      "2023-07-20T00:00:00.000Z",
      "2023-07-26T00:00:00.000Z",
    ]);
  });

  it("count the rows that the model was trained on; the scenario and predict warn of these rows", async () => {
    const scenario = await createScenario(project, { fileData: base64(days(100, 220)) });
    expect(await actualsOf(scenario.id)).toMatchObject({ learnedRows: 100, errors: { rows: 120 } });
    const message = "100 rows lie within the training period. Expect larger errors in a real forecast.";
    const warning = { code: "in_sample", column: "date", rows: 100, message };
    expect(scenario.warnings).toContainEqual(expect.objectContaining(warning));
    const { data } = await callRoute<Prediction>(predictRoute, {
      params: { projectId: project.projectId },
      ...as(),
      body: { input: { date: ["2023-07-19", "2023-07-20"], price: [9, 9] } },
    });
    expect(data.warnings).toContainEqual(
      expect.objectContaining({
        code: "in_sample",
        message: "1 row lies within the training period. Expect larger errors in a real forecast.",
      }),
    );
  });

  it("give a checkpoint's errors since its creation, from predict's values, beside the naive forecast", async () => {
    const scenario = await createScenario(project, {});
    const record = await recordOf(scenario.checkpointId!);
    const lines = all.slice(201, 221).map((line) => line.split(","));
    const { data } = await callRoute<Prediction>(predictRoute, {
      params: { projectId: project.projectId },
      ...as(),
      body: {
        checkpointId: scenario.checkpointId,
        input: { date: lines.map(([date]) => date), price: lines.map(([, price]) => Number(price)) },
      },
    });
    expect(record.predicted).toEqual(data.predictions);
    expect(record.actual).toEqual(lines.map(([, , demand]) => Number(demand)));
    expect(record).toMatchObject({ reason: null, horizon: 14, period: "week", errors: { rows: 20 } });
    expect(record.periods.reduce((sum, { rows }) => sum + rows, 0)).toBe(20);
    expect(record.periods[0]).toMatchObject({
      from: "2023-07-17T00:00:00.000Z",
      to: "2023-07-24T00:00:00.000Z",
      rows: 4,
    });
    const { data: model } = await callRoute<Model>(currentModelRoute, {
      params: { projectId: project.projectId },
      ...as(),
    });
    expect(record.validation.rmse).toBe(model.trainingMetrics.validation?.rmse);
    expect(record.validation.baseline.rmse).toBe(model.trainingMetrics.baseline?.rmse);
  });

  it("end at the last row with a target, although later rows have inputs", async () => {
    const planned = all.slice(201, 231).map((line) => line.replace(/[^,]*$/, ""));
    const table = await createTrainedProject({
      csv: `${days(0, 200)}${planned.join("\n")}\n`,
      target: "demand",
      timestamp: "date",
      request: { algorithm: "ridge" },
    });
    const fileData = base64(`${[header, ...planned].join("\n")}\n`);
    const scenario = await createScenario(table, { fileData });
    const { data } = await callRoute<ScenarioActuals>(actualsRoute, {
      params: { projectId: table.projectId, scenarioId: scenario.id },
      as: table.as,
    });
    const knownUntil = "2023-07-19T00:00:00.000Z";
    expect(data).toMatchObject({ errors: null, knownUntil, reason: expect.stringContaining("2023-07-19.") });
    expect(await recordOf(scenario.checkpointId!, table)).toMatchObject({ errors: null, knownUntil });
  });

  it("cannot be matched with data without times, and the response gives the reason", async () => {
    const rows = Array.from({ length: 60 }, (_, row) => `${row},${2 * row + (row % 3)}`);
    const table = await createTrainedProject({ csv: `x,y\n${rows.join("\n")}\n`, target: "y" });
    const scenario = await createScenario(table, { fileData: base64("x\n1\n2\n") });
    const record = await recordOf(scenario.checkpointId!, table);
    expect(record).toMatchObject({ errors: null, reason: expect.stringContaining("no timestamps") });
    const { data } = await callRoute<ScenarioActuals>(actualsRoute, {
      params: { projectId: table.projectId, scenarioId: scenario.id },
      as: table.as,
    });
    expect(data).toMatchObject({ errors: null, reason: expect.stringContaining("no timestamps") });
  });
});

describe("retraining on a longer history", () => {
  const current = async () => {
    const params = { projectId: project.projectId };
    return (await callRoute<Model>(currentModelRoute, { params, ...as() })).data;
  };
  const changesOf = async (modelId: string) => {
    const params = { projectId: project.projectId, modelId };
    return (await callRoute<ModelChanges>(changesRoute, { params, ...as() })).data;
  };

  it("accepts the previous model's request, and reports the changes on the same rows", async () => {
    const before = await current();
    expect(before).toMatchObject({
      datasetRows: 200,
      datasetFrequency: "P1D",
      request: { algorithm: "ridge", horizon: 14 },
    });
    expect(await changesOf(before.id)).toMatchObject({ beforeId: null, sameRows: null, settings: [] });

    await append(220, 240);
    await train(project.projectId, before.request!);
    const after = await current();
    expect(after).toMatchObject({ datasetRows: 240, request: before.request, trainingRows: 240 });
    const changes = await changesOf(after.id);
    expect(changes).toMatchObject({
      beforeId: before.id,
      trainingRows: { before: 200, after: 240 },
      knownUntil: { before: "2023-07-19T00:00:00.000Z", after: "2023-08-28T00:00:00.000Z" },
      features: { added: [], removed: [] },
      settings: [],
      reason: null,
    });
    // The later model's validation rows. Each model predicted them unseen, and the later model's errors are the stored ones.
    expect(changes.sameRows).toMatchObject({
      from: "2023-07-12T00:00:00.000Z",
      to: "2023-08-28T00:00:00.000Z",
      before: { rows: 48 },
      after: { rows: 48, rmse: after.trainingMetrics.validation?.rmse },
    });
    expect(changes.sameRows?.before.baseline).toEqual(changes.sameRows?.after.baseline);
    const shares = changes.importance.map(({ after: share }) => share ?? 0);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it("with other settings lists the changed settings", async () => {
    await train(project.projectId, { algorithm: "ridge", features: { lags: [] }, seed: 7 });
    const { settings, sameRows } = await changesOf((await current()).id);
    expect(settings).toEqual([
      { name: "features.lags", before: [1, 7], after: [] },
      { name: "horizon", before: 14, after: null },
      { name: "seed", before: null, after: 7 },
    ]);
    expect(sameRows?.before.rows).toBe(48);
  });

  it("is measured on unseen rows only, although both models have memorized their training rows", async () => {
    const random = seededRandom(5);
    const lines = Array.from({ length: 240 }, (_, day) => {
      const date = new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10);
      return `${date},${random.next()},${100 + 10 * random.next()}`;
    });
    const csv = (from: number, to: number) => `date,price,demand\n${lines.slice(from, to).join("\n")}\n`;
    const request: TrainModel = {
      algorithm: "gradient_boosting",
      features: { lags: [], calendar: false },
      hyperparameters: { rounds: 60, learningRate: 0.3, maxLeaves: 200, minLeaf: 1, earlyStopping: false },
    };
    const table = await createTrainedProject({
      csv: csv(0, 200),
      target: "demand",
      timestamp: "date",
      request,
    });
    const { projectId } = table;
    await appendRows(testContext(), { projectId, fileData: base64(csv(200, 240)) });
    const currentOf = async () =>
      (await callRoute<Model>(currentModelRoute, { params: { projectId }, as: table.as })).data;
    const compared = async () => {
      const params = { projectId, modelId: (await currentOf()).id };
      return (await callRoute<ModelChanges>(changesRoute, { params, as: table.as })).data.sameRows!;
    };
    // First on newer rows, then on the same rows with another seed.
    for (const seed of [1, 2]) {
      await train(projectId, { ...request, seed });
      const { before, after } = await compared();
      // The noise has a standard deviation of 2.9.
      for (const { rows, rmse } of [before, after]) {
        expect(rows).toBe(48);
        expect(rmse).toBeGreaterThan(2.5);
      }
    }
  }, 120_000); // Trains three models of 300 deep trees.
});
