import { beforeAll, describe, expect, it } from "vitest";
import type { Difference, DifferencePart } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import {
  base64,
  createScenario,
  createTrainedProject,
  postScenario,
  type TrainedProject,
  train,
} from "#testing/scenario-factory";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();

const callDifference = (
  { projectId, as }: TrainedProject,
  scenarioId: string,
  query: Record<string, string>,
) => callRoute<Difference>(differenceRoute, { params: { projectId, scenarioId }, as, query });

/**
 * Explains the difference, and checks that the parts add up to it, in total and at every point, and that the comparison lists their
 * inputs.
 */
async function explain(
  project: TrainedProject,
  from: Scenario,
  to: Scenario,
  query: Record<string, string> = {},
): Promise<Difference> {
  const { projectId, as } = project;
  const { status, text, data } = await callDifference(project, to.id, { baselineId: from.id, ...query });
  expect(status, text).toBe(200);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  expect(sum(data.parts.map(({ total }) => total))).toBeCloseTo(data.totalDifference, 9);
  expect(data.scenarioTotal - data.baselineTotal).toBeCloseTo(data.totalDifference, 6);
  for (const [point, difference] of data.differences.entries()) {
    expect(sum(data.parts.map(({ values }) => values[point]!))).toBeCloseTo(difference!, 9);
  }
  const ids = `${from.id},${to.id}`;
  const compared = await callRoute<Comparison>(compareRoute, {
    params: { projectId },
    as,
    query: { ...query, ids },
  });
  expect(compared.data.series[1]!.totalDifference ?? 0).toBeCloseTo(data.totalDifference, 9);
  // Inputs that move the predictions are inputs that differ.
  const differing = compared.data.differs.inputs.map(({ feature }) => feature);
  const moving = data.parts.flatMap(({ kind, feature }) => (kind === "input" ? feature! : []));
  expect(differing).toEqual(expect.arrayContaining(moving));
  return data;
}

const nameOf = ({ kind, feature }: DifferencePart) => (feature === null ? kind : `${kind} ${feature}`);
const totals = ({ parts }: Difference) => Object.fromEntries(parts.map((part) => [nameOf(part), part.total]));

const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const csv = (from: number, to: number) =>
  `date,price\n${Array.from({ length: to - from }, (_, i) => `${day(from + i)},6`).join("\n")}\n`;
const dearer = (by: number, rest: object = {}) => ({
  feature: "price",
  operation: "add",
  value: by,
  ...rest,
});

describe("the difference of two scenarios, for models with independent rows", () => {
  let weather: TrainedProject;
  let project: TrainedProject;
  let pinnedCheckpoints: Record<string, string>;
  let base: Scenario;
  const made = (body: object) =>
    createScenario(project, {
      baseScenarioId: base.id,
      checkpointId: base.checkpointId,
      dependentProjectCheckpoints: pinnedCheckpoints,
      ...body,
    });

  beforeAll(async () => {
    const request: TrainModel = { algorithm: "ridge", features: { lags: [], calendar: true } };
    weather = await createTrainedProject({
      csv: dailyTemperature(200),
      target: "temp",
      timestamp: "day",
      request,
    });
    project = await createTrainedProject({
      csv: dailyDemand(200),
      target: "demand",
      timestamp: "date",
      dependencies: [{ projectId: weather.projectId, featureName: "warmth" }],
      request,
    });
    base = await createScenario(project, {
      fileData: base64(csv(0, 40)),
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    pinnedCheckpoints = base.dependentProjectCheckpoints;
  });

  it("attributes to a feature its effect in a linear model, independent of other changes", async () => {
    const price = await made({ adjustments: [dearer(1)] });
    const alone = await explain(project, base, price);
    expect(Object.keys(totals(alone))).toEqual(["input price"]);
    expect([alone.method, alone.commonRows, alone.splitRows]).toEqual(["exact", 40, 40]);
    // Each of the 40 rows changes by the coefficient.
    const step = alone.parts[0]!.values[0]!;
    for (const value of alone.parts[0]!.values) expect(value).toBeCloseTo(step, 3);
    const both = await made({
      adjustments: [dearer(2, { from: day(10) }), { feature: "warmth", operation: "add", value: 3 }],
    });
    const split = await explain(project, base, both);
    expect(totals(split)["input price"]).toBeCloseTo(60 * step, 2);
    expect(split.parts.find(({ feature }) => feature === "warmth")).toMatchObject({
      kind: "upstream",
      projectId: weather.projectId,
    });
    // Swapping the scenarios inverts every sign.
    const back = totals(await explain(project, both, base));
    for (const [name, total] of Object.entries(totals(split))) expect(back[name]).toBeCloseTo(-total, 9);
  });

  it("attributes to a date among the inputs its effect, and to the time of the rows none", async () => {
    const launch = (row: number) => day(-400 + 3 * row);
    const [header, ...lines] = dailyDemand(200).trim().split("\n");
    const dated = await createTrainedProject({
      csv: `launch,${header}\n${lines.map((line, row) => `${launch((row * 37) % 90)},${line}`).join("\n")}\n`,
      target: "demand",
      timestamp: "date",
    });
    const input = csv(0, 40).trim().split("\n");
    const file = input.map((line, row) => `${row === 0 ? "launch" : launch(row)},${line}`).join("\n");
    const first = await createScenario(dated, { fileData: base64(file) });
    const adjustments = [{ feature: "launch", operation: "set", value: "2022-08-01", from: day(10) }];
    const moved = await createScenario(dated, {
      baseScenarioId: first.id,
      checkpointId: first.checkpointId,
      adjustments,
    });
    expect(Object.keys(totals(await explain(dated, first, moved)))).toEqual(["input launch"]);
  });

  it("has no parts and a total of 0 for equal scenarios", async () => {
    const copy = await made({});
    expect(await explain(project, base, copy)).toMatchObject({
      totalDifference: 0,
      parts: [],
      commonRows: 40,
    });
  });

  it("splits by checkpoints, upstream checkpoints and inputs, over the requested range", async () => {
    await train(weather.projectId, {
      algorithm: "ridge",
      features: { lags: [], calendar: true },
      hyperparameters: { alpha: 100 },
    });
    await train(project.projectId, { algorithm: "ridge", features: { lags: [], calendar: false } });
    const other = await made({
      checkpointId: null,
      dependentProjectCheckpoints: { [weather.projectId]: null },
      adjustments: [dearer(1)],
    });
    const split = await explain(project, base, other);
    expect(new Set(Object.keys(totals(split)))).toEqual(
      new Set(["input price", "upstream warmth", "checkpoint"]),
    );
    for (const total of Object.values(totals(split))) expect(Math.abs(total)).toBeGreaterThan(0);
    const part = await explain(project, base, other, { from: day(5), to: day(14) });
    expect([part.commonRows, part.timestamps?.length]).toEqual([10, 10]);
    const at = split.parts.find(({ kind }) => kind === "checkpoint")!.values.slice(5, 15);
    expect(part.parts.find(({ kind }) => kind === "checkpoint")!.values).toEqual(at);
    const thin = await explain(project, base, other, { maxPoints: "4" });
    expect(thin.differences.length).toBeLessThanOrEqual(4);
    expect(totals(thin)).toEqual(totals(split));
  });

  it("counts rows that only one scenario has, without explaining them", async () => {
    const later = await createScenario(project, {
      checkpointId: base.checkpointId,
      dependentProjectCheckpoints: pinnedCheckpoints,
      fileData: base64(csv(30, 50).replaceAll(",6", ",7")),
    });
    expect(await explain(project, base, later)).toMatchObject({
      commonRows: 10,
      onlyInBaseline: 30,
      onlyInScenario: 10,
      parts: [{ kind: "input", feature: "price" }],
    });
  });

  it("rejects the scenario itself, unknown scenarios, invalid times, and scenarios that are not ready", async () => {
    const ask = async (query: Record<string, string>, id = base.id) => {
      const { status, error } = await callDifference(project, id, query);
      return [status, error?.code, error?.details?.[0]?.field];
    };
    const copy = await made({});
    expect(await ask({ baselineId: base.id })).toEqual([400, "validation_failed", "baselineId"]);
    expect(await ask({})).toEqual([400, "validation_failed", "baselineId"]);
    expect(await ask({ baselineId: copy.id, from: "3" })).toEqual([400, "validation_failed", "from"]);
    expect(await ask({ baselineId: crypto.randomUUID() })).toEqual([404, "scenario_not_found", "baselineId"]);
    const { data } = await postScenario(project, { dependentProjectCheckpoints: pinnedCheckpoints });
    expect(await ask({ baselineId: data.scenarioId })).toEqual([409, "scenario_not_ready", "baselineId"]);
    expect(await ask({ baselineId: base.id }, data.scenarioId)).toEqual([
      409,
      "scenario_not_ready",
      undefined,
    ]);
  });
});

describe("the difference of two scenarios, for models that look back at their target", () => {
  it("propagates a change to all later rows, and separates the effect of the known rows", async () => {
    const all = dailyDemand(240).trim().split("\n");
    const known = (from: number, to: number) => `${[all[0], ...all.slice(1 + from, 1 + to)].join("\n")}\n`;
    const request: TrainModel = { algorithm: "ridge", features: { lags: [1, 7], calendar: true } };
    const project = await createTrainedProject({
      csv: known(0, 200),
      target: "demand",
      timestamp: "date",
      request,
    });
    const base = await createScenario(project, { endDate: day(9) });
    const { checkpointId } = base;
    const spike = dearer(5, { from: day(2), to: day(2) });
    const raised = await createScenario(project, {
      baseScenarioId: base.id,
      checkpointId,
      adjustments: [spike],
    });
    const split = await explain(project, base, raised);
    expect(Object.keys(totals(split))).toEqual(["input price"]);
    // Through the lags, the change of one day affects the days after it.
    expect(split.differences.filter((one) => Math.abs(one!) > 1e-6).length).toBeGreaterThan(3);
    expect(split.differences.slice(0, 2)).toEqual([0, 0]);

    // A file with only later days and another price. The rows before it are unknown.
    const part = await createScenario(project, { checkpointId, fileData: base64(csv(3, 8)) });
    const history = totals(await explain(project, base, part));
    expect(new Set(Object.keys(history))).toEqual(new Set(["input price", "history"]));

    // Another model of the same kind.
    await train(project.projectId, { ...request, features: { lags: [1], calendar: false } });
    const other = await createScenario(project, { baseScenarioId: base.id, adjustments: [spike] });
    const models = await explain(project, base, other);
    expect(new Set(Object.keys(totals(models)))).toEqual(new Set(["input price", "checkpoint"]));
    const back = totals(await explain(project, other, base));
    for (const [name, total] of Object.entries(totals(models))) expect(back[name]).toBeCloseTo(-total, 9);
  });

  it("uses the upstream checkpoints of both scenarios if newer rows are known than the model keeps", async () => {
    const request: TrainModel = { algorithm: "ridge", features: { lags: [], calendar: true } };
    const csvOf = (text: string, from: number, to: number) => {
      const [header, ...rows] = text.trim().split("\n");
      return `${[header, ...rows.slice(from, to)].join("\n")}\n`;
    };
    const weather = await createTrainedProject({
      csv: dailyTemperature(240),
      target: "temp",
      timestamp: "day",
      request,
    });
    const project = await createTrainedProject({
      csv: csvOf(dailyDemand(240), 0, 200),
      target: "demand",
      timestamp: "date",
      dependencies: [{ projectId: weather.projectId, featureName: "warmth" }],
      request: { algorithm: "ridge", features: { lags: [1], calendar: true } },
    });
    const base = await createScenario(project, {
      endDate: day(9),
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    const { projectId } = project;
    await appendRows(testContext(), { projectId, fileData: base64(csvOf(dailyDemand(240), 200, 203)) });
    await train(weather.projectId, { ...request, hyperparameters: { alpha: 100 } });
    const other = await createScenario(project, {
      endDate: day(9),
      checkpointId: base.checkpointId,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    const split = await explain(project, base, other);
    expect(Object.keys(totals(split))).toEqual(expect.arrayContaining(["upstream warmth", "history"]));
    expect(split.onlyInBaseline).toBe(3);
    expect(Object.keys(totals(split))).not.toContain("unexplained");
  });
});
