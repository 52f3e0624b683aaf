import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import type { Difference } from "#lib/contract/scenario-differences";
import type { TargetSeries } from "#lib/contract/target-series";
import type { TrainModel } from "#lib/contract/train-model";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { logOddsOf } from "#lib/engine/learners/log-odds";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { callRoute, testContext } from "#testing/api";
import { predict, putDataset, runScenario } from "#testing/csv-entry-points";
import { createImportTarget } from "#testing/exported-checkpoint";
import { createReadyCheckpoint } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createTrainedProject, train } from "#testing/scenario-factory";
import { GET as targetRoute } from "../../../app/api/v1/projects/[projectId]/dataset/target/route.ts";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as trainRoute } from "../../../app/api/v1/projects/[projectId]/models/train/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";

await createTestDatabase();

const ROWS = 400;
/** Customers who stay or leave: expensive plans and few years make them leave. */
function customers(labels: readonly string[]): string {
  const random = seededRandom(3);
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const [price, years] = [10 + Math.floor(40 * random.next()), random.below(10)];
    const leaves = random.next() < 1 / (1 + Math.exp(-(0.15 * price - 0.8 * years)));
    const label = labels[row % 9 === 0 ? labels.length - 1 : Number(leaves)];
    return [row % 11 === 0 ? "" : price, years, ["basic", "plus"][row % 2], label].join();
  });
  return `price,years,plan,leaves\n${lines.join("\n")}\n`;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const inputs = (price: number | null) => ({
  price: [price, 20, 45],
  years: [1, 8, 3],
  plan: ["plus", "basic", "basic"],
});
const scenarioFile = (price: number) =>
  base64(`price,years,plan\n${price},1,plus\n20,8,basic\n,3,plus\n${price},5,basic\n`);

const inProject = () => ({ params: { projectId: project.projectId }, as: project.as });
const currentModel = async () => (await callRoute<Model>(currentRoute, inProject())).data;

const request: TrainModel = { algorithm: "ridge" };
const project = await createTrainedProject({ csv: customers(["no", "yes"]), target: "leaves", request });

describe("a project whose target has two texts", () => {
  it("has a model that is measured by its probabilities", async () => {
    const model = await currentModel();
    expect(model).toMatchObject({
      modelName: "Logistic regression",
      targetMetric: "logLoss",
      coverage: null,
    });
    const { classes, reliability, thresholds } = model.classification!;
    expect(classes).toEqual(["no", "yes"]);
    expect(thresholds).toHaveLength(99);
    const { threshold, ...counts } = thresholds[49]!;
    expect([threshold, sumOf(Object.values(counts))]).toEqual([
      0.5,
      sumOf(reliability.map(({ rows }) => rows)),
    ]);
    const { validation, baseline } = model.trainingMetrics;
    expect(validation!.logLoss!).toBeLessThan(baseline!.logLoss!);
    expect(validation!.auc!).toBeGreaterThan(0.7);
  });

  it("shows its target as 0 and 1", async () => {
    const { status, data } = await callRoute<TargetSeries>(targetRoute, inProject());
    expect([status, new Set(data.values)]).toEqual([200, new Set([0, 1])]);
  });

  it("predicts probabilities of the second class, with contributions to the log-odds", async () => {
    const { data, status } = await predict(project, inputs(49), ["contributions", "intervals"]);
    expect([status, data.classes, data.intervals]).toEqual([200, ["no", "yes"], undefined]);
    expect(data.predictions.every((p) => p > 0 && p < 1)).toBe(true);
    expect(data.predictions[0]).toBeGreaterThan(data.predictions[1]!);
    const { scale, baseValue, values } = data.contributions!;
    expect(scale).toBe("log_odds");
    values.forEach((parts, row) => {
      expect(baseValue + sumOf(parts)).toBeCloseTo(logOddsOf(data.predictions[row]!), 6);
    });
    expect(data.warnings.map(({ code }) => code)).toContain("no_intervals");
    const unknown = await predict(project, inputs(null));
    expect(unknown.data.predictions[0]).not.toBe(data.predictions[0]);
  });

  it("splits the difference of two scenarios on the log-odds scale", async () => {
    const [baseline, scenario] = [
      await runScenario(project, { fileData: scenarioFile(20) }),
      await runScenario(project, { fileData: scenarioFile(45) }),
    ];
    expect(scenario.predictions[0]!).toBeGreaterThan(baseline.predictions[0]!);
    const { data } = await callRoute<Difference>(differenceRoute, {
      as: project.as,
      params: { projectId: project.projectId, scenarioId: scenario.scenarioId },
      query: { baselineId: baseline.scenarioId },
    });
    const logOdds = (predictions: (number | null)[]) => sumOf(predictions.map((one) => logOddsOf(one!)));
    const total = logOdds(scenario.predictions) - logOdds(baseline.predictions);
    expect(data.scale).toBe("log_odds");
    expect(data.totalDifference).toBeCloseTo(total, 6);
    const price = data.parts.find(({ feature }) => feature === "price");
    expect(price!.total).toBeCloseTo(total, 6);
  });

  it("predicts the same after export and import of a checkpoint", async () => {
    const checkpointId = await createReadyCheckpoint(project.projectId);
    const source = { projectId: project.projectId, checkpointId };
    const target = await createImportTarget();
    const file = await buffer((await exportCheckpoint(testContext(), source)).content);
    const { data } = await target.sendFile(file);
    expect(await runJobHere(data.jobId)).toMatchObject({ status: "Completed", errorMessage: null });
    const { data: here } = await predict(project, inputs(30));
    const { data: there } = await callRoute<Prediction>(predictRoute, {
      params: { projectId: target.projectId },
      as: target.as,
      body: { input: inputs(30), checkpointId: data.checkpointId },
    });
    expect([there.classes, there.predictions]).toEqual([["no", "yes"], here.predictions]);
  });

  it.each([
    [{ targetMetric: "rmse" }, "targetMetric"],
    [{ task: "regression" }, "task"],
    [{ algorithm: "ets" }, "algorithm"],
    [{ features: { lags: [1] } }, "features.lags"],
  ])("rejects the training %j", async (body, field) => {
    const { status, error } = await callRoute(trainRoute, { ...inProject(), body });
    expect([status, error?.code, error?.details?.map((detail) => detail.field)]).toEqual([
      400,
      "validation_failed",
      [field],
    ]);
  });
});

it("rejects a target of three texts, and names the way", async () => {
  const body = { fileData: base64(customers(["no", "yes", "maybe"])), target: "leaves" };
  const { status, error } = await putDataset(project, body);
  expect([status, error?.code]).toEqual([400, "input_invalid"]);
  expect(error?.message).toContain("3 classes. Create one project for each class");
});

it("predicts numbers for a target of 0 and 1, and probabilities on request", {
  timeout: 90_000,
}, async () => {
  const csv = customers(["0", "1"]);
  const numbers = await createTrainedProject({ csv, target: "leaves", request: { algorithm: "ridge" } });
  const before = (await predict(numbers, inputs(49))).data;
  expect(before.classes).toBeUndefined();
  await train(numbers.projectId, { algorithm: "ridge", task: "classification" });
  const after = (await predict(numbers, inputs(49))).data;
  expect(after.classes).toEqual(["0", "1"]);
  expect(after.predictions.every((p) => p > 0 && p < 1)).toBe(true);
  expect(after.predictions).toEqual((await predict(project, inputs(49))).data.predictions);
});
