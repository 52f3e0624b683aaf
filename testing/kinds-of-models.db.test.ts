import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { algorithmNames } from "#lib/contract/algorithms";
import type { TrainAlgorithm } from "#lib/contract/hyperparameters";
import type { Prediction } from "#lib/contract/predictions";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Contributions, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { openModel } from "#lib/domain/models/open-model";
import { requestImport } from "#lib/domain/models/request-import";
import { rowsPredictor } from "#lib/domain/models/rows-predictor";
import { getLiveModel } from "#lib/domain/what-if/get-live-model";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { type LiveModel, openLiveModel } from "#lib/engine/what-if/live-model";
import { unpack } from "#lib/engine/what-if/pack";
import { database } from "#lib/platform/database/process-database";
import { POST as predictRoute } from "../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as differenceRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as contributionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { callRoute, createKey, createProject, testContext } from "./api.ts";
import { createImportTarget } from "./exported-checkpoint.ts";
import { createTestDatabase } from "./postgres.ts";
import { runJobHere } from "./run-jobs.ts";
import { base64, createScenario, createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

await createTestDatabase();

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const LENGTH = 120;
const LEVELS = [0.5, 0.8, 0.9, 0.95];
const columns: Record<string, (i: number) => string | number> = {
  day: (i) => new Date(START + i * DAY).toISOString().slice(0, 10),
  promo: (i) => (i % 11 === 3 ? 1 : 0),
  // A trend, a week and promotions.
  sales: (i) =>
    200 + 0.5 * i + [0, 4, 9, 3, 20, 41, 30][i % 7]! + (i % 11 === 3 ? 25 : 0) + 6 * Math.sin(i * i),
  orders: (i) => (i % 3 === 1 || i % 7 === 2 ? 1 + ((i * i) % 5) : 0),
};
const rowsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const csvOf = (names: readonly string[], rows: readonly number[]) =>
  `${[names.join(), ...rows.map((i) => names.map((name) => columns[name]!(i)).join())].join("\n")}\n`;
const next = rowsOf(LENGTH, LENGTH + 14);

type Kind = { name: string; inputs: string[]; target: string; create(): Promise<TrainedProject> };

type Variant = { note?: string; features?: TrainModel["features"] };

const trained = (
  algorithm: TrainAlgorithm,
  { inputs = ["day", "promo"], target = "sales", note = "", features }: Partial<Kind> & Variant = {},
): Kind => ({
  name: algorithm + note,
  inputs,
  target,
  create: () =>
    createTrainedProject({
      csv: csvOf([...inputs, target], rowsOf(0, LENGTH)),
      target,
      ...(inputs.includes("day") ? { timestamp: "day" } : {}),
      request: {
        algorithm,
        ...(inputs.includes("day") ? { horizon: 14 } : {}),
        ...(features && { features }),
      },
    }),
});

async function createImported(): Promise<TrainedProject> {
  const model = { coefficients: Float64Array.of(25), intercept: 240, means: Float64Array.of(0) };
  const onnx = linearToOnnx({ kind: "linear", ...model }, {});
  const { id: projectId } = await createProject();
  const known = base64(csvOf(["day", "promo", "sales"], rowsOf(0, LENGTH)));
  await putDataset(testContext(), { projectId, fileData: known, target: "sales", timestamp: "day" });
  const { jobId } = await requestImport(testContext(), {
    projectId,
    request: {
      fileData: Buffer.from(onnx).toString("base64"),
      modelName: "Imported",
      target: "sales",
      targetMetric: "rmse",
      inputs: [{ feature: "promo" }],
      labelledRows: base64(csvOf(["promo", "sales"], rowsOf(0, LENGTH))),
    },
  });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  return { projectId, as: await createKey({ projectId }) };
}

const kinds: Kind[] = [
  ...algorithmNames("inputs").map((one) => trained(one)),
  ...algorithmNames("series")
    .filter((one) => one !== "tsb")
    .map((one) => trained(one)),
  ...algorithmNames("naive").map((one) => trained(one, { inputs: ["day"] })),
  trained("combination", { inputs: ["day"], note: " without inputs" }),
  trained("combination", { note: " with earlier inputs", features: { inputLags: { steps: 2, decay: 0.6 } } }),
  trained("tsb", { inputs: ["day"], target: "orders" }),
  trained("blend", { inputs: ["promo"], note: " without times" }),
  trained("mean", { inputs: ["promo"], note: " without times" }),
  { name: "imported", inputs: ["promo"], target: "sales", create: createImported },
];

const inputOf = ({ inputs }: Kind) =>
  Object.fromEntries(inputs.map((name) => [name, next.map(columns[name]!)]));

async function predicted({ projectId, as }: TrainedProject, kind: Kind): Promise<Prediction> {
  const body = { input: inputOf(kind), include: ["intervals", "contributions"], levels: LEVELS };
  const { data, text, status } = await callRoute<Prediction>(predictRoute, {
    params: { projectId },
    as,
    body,
  });
  expect(status, text).toBe(200);
  return data;
}

const ofScenario = ({ projectId, as }: TrainedProject, { id }: Scenario, query: Record<string, string>) => ({
  params: { projectId, scenarioId: id },
  as,
  query,
});

async function predictionsOf(project: TrainedProject, scenario: Scenario): Promise<PredictionRow[]> {
  const query = { limit: "100", levels: LEVELS.join() };
  return (await callRoute<PredictionRow[]>(predictionsRoute, ofScenario(project, scenario, query))).data;
}

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Expects that the contributions of each row add up to its prediction. */
function expectSums({ baseValue, values }: Pick<Contributions, "baseValue" | "values">, wanted: number[]) {
  values.forEach((parts, row) => {
    expect(baseValue + sum(parts)).toBeCloseTo(wanted[row]!, 6);
  });
}

/** Expects that a scenario's contributions add up to its stored predictions. */
async function expectExplained(project: TrainedProject, scenario: Scenario): Promise<Contributions> {
  const stored = (await predictionsOf(project, scenario)).map(({ prediction }) => prediction!);
  const query = { rows: next.map((_, row) => row + 1).join() };
  const { data } = await callRoute<Contributions>(contributionsRoute, ofScenario(project, scenario, query));
  expect(data.predictions).toEqual(stored);
  expectSums(data, stored);
  return data;
}

/** Expects that the parts of a difference add up, in total and at each point. */
async function expectSplit(project: TrainedProject, from: Scenario, to: Scenario): Promise<Difference> {
  const { data } = await callRoute<Difference>(
    differenceRoute,
    ofScenario(project, to, { baselineId: from.id }),
  );
  expect(sum(data.parts.map(({ total }) => total))).toBeCloseTo(data.totalDifference, 6);
  data.differences.forEach((difference, point) => {
    expect(sum(data.parts.map(({ values }) => values[point]!))).toBeCloseTo(difference!, 6);
  });
  expect(data.parts.map(({ kind }) => kind)).not.toContain("unexplained");
  return data;
}

describe.each(kinds)("a model of the kind $name", (kind) => {
  let project: TrainedProject;
  let base: Scenario;
  const fileData = base64(csvOf(kind.inputs, next));
  beforeAll(async () => {
    project = await kind.create();
    base = await createScenario(project, { fileData });
  }, 60_000);

  test("gives identical predictions and bounds everywhere, and parts that add up", {
    // Trains a model, runs scenarios, and imports an exported checkpoint.
    timeout: 120_000,
  }, async () => {
    const { projectId } = project;
    const { predictions, intervals, contributions } = await predicted(project, kind);
    const { features, parts } = contributions!;
    expect(new Set(features).size).toBe(features.length);
    expect(new Set(parts!.features)).toEqual(new Set(features));
    expect(parts!.kinds).toHaveLength(parts!.features.length);
    expectSums({ ...contributions!, values: parts!.values }, predictions);
    expectSums(contributions!, predictions);

    const rows = await predictionsOf(project, base);
    expect(rows.map(({ prediction }) => prediction)).toEqual(predictions);
    intervals!.levels!.forEach(({ lower, upper }, at) => {
      expect(rows.map(({ levels }) => levels![at]!.lower)).toEqual(lower);
      expect(rows.map(({ levels }) => levels![at]!.upper)).toEqual(upper);
    });
    expect((await expectExplained(project, base)).values).toEqual(contributions!.values);

    // Worker threads receive the model as plain data. Imported models run in their own process.
    const [own] = await database().select().from(checkpoints).where(eq(checkpoints.projectId, projectId));
    const model = await openModel(own!.artifactKey);
    const table: Table = {
      rowCount: next.length,
      columns: kind.inputs.map((name) =>
        name === "day"
          ? { name, type: "timestamp", values: Float64Array.from(next, (i) => START + i * DAY) }
          : { name, type: "number", values: Float64Array.from(next, (i) => Number(columns[name]!(i))) },
      ),
    };
    await using predictor = rowsPredictor(
      { model, artifactKey: own!.artifactKey, history: undefined },
      1_000_000,
    );
    const inThread = await predictor.predict(table, false);
    expect([...inThread.predictions]).toEqual(predictions);
    expect([...inThread.intervals!.lower]).toEqual(intervals!.lower);

    // A page receives the model as bytes, unless it was imported or has no inputs to change.
    if (kind.inputs.includes("promo")) {
      const { model: sent } = await getLiveModel(testContext(), { projectId, scenarioId: base.id });
      expect(sent === null).toBe(kind.name === "imported");
      if (sent !== null) {
        const { buffer: bytes } = Uint8Array.from(Buffer.from(sent, "base64"));
        const live = (await openLiveModel(unpack<LiveModel>(bytes)))!;
        const { preview } = (await live([], { maxPoints: 1_000, levels: [] }))!;
        expect(preview.values).toEqual(predictions);
        expect(preview.lower).toEqual(intervals!.lower);
      }
    }

    // An exported checkpoint is imported into another project.
    const wanted = { projectId, checkpointId: own!.id };
    const file = await buffer((await exportCheckpoint(testContext(), wanted)).content);
    const target = await createImportTarget();
    const { data } = await target.sendFile(file);
    const job = await runJobHere(data.jobId);
    expect(job.errorMessage).toBeNull();
    const again = await predicted(target, kind);
    expect(again.predictions).toEqual(predictions);
    expect(again.intervals).toEqual(intervals);
    expect(again.contributions).toEqual(contributions);
  });

  test("keeps the known rows of a scenario in scenarios made from it, after rows were appended", {
    timeout: 120_000,
  }, async () => {
    const { projectId } = project;
    const { checkpointId } = base;
    const isTimed = kind.inputs.includes("day");
    if (isTimed) {
      const appended = base64(csvOf([...kind.inputs, kind.target], next.slice(0, 3)));
      await appendRows(testContext(), { projectId, fileData: appended });
    }
    const derived = { checkpointId, baseScenarioId: base.id };
    const copy = await createScenario(project, derived);
    const values = async (scenario: Scenario) =>
      (await predictionsOf(project, scenario)).map(({ prediction }) => prediction);
    expect(await values(copy)).toEqual(await values(base));
    expect((await expectSplit(project, base, copy)).totalDifference).toBe(0);

    const newer = await createScenario(project, { checkpointId, fileData });
    await expectExplained(project, base);
    await expectExplained(project, newer);
    const news = await expectSplit(project, base, newer);
    expect(news.parts.every(({ kind: cause }) => cause === "history")).toBe(true);

    if (!kind.inputs.includes("promo")) return;
    const adjustments = [{ feature: "promo", operation: "set", value: 1 }];
    const promoted = await createScenario(project, { ...derived, adjustments });
    await expectExplained(project, promoted);
    const causes = (await expectSplit(project, base, promoted)).parts.map(({ feature }) => feature);
    expect(causes).toEqual(["promo"]);
    await expectSplit(project, newer, promoted);
  });
});
