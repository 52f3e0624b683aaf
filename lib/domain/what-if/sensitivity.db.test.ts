import { expect, test } from "vitest";
import type { Scenario } from "#lib/contract/scenarios";
import type { Sensitivity, SensitivityFeature } from "#lib/contract/sensitivity";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import {
  base64,
  createScenario,
  createTrainedProject,
  postScenario,
  type TrainedProject,
} from "#testing/scenario-factory";
import { GET as sensitivityRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/sensitivity/route.ts";

await createTestDatabase();

const call = ({ projectId, as }: TrainedProject, scenarioId: string, query: Record<string, string> = {}) =>
  callRoute<Sensitivity>(sensitivityRoute, { params: { projectId, scenarioId }, as, query });

async function measured(project: TrainedProject, { id }: Scenario, query: Record<string, string> = {}) {
  const { data, status, text } = await call(project, id, query);
  expect(status, text).toBe(200);
  return data;
}

const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const csv = (days: number) =>
  `date,price\n${Array.from({ length: days }, (_, i) => `${day(i)},${5 + (i % 4)}`).join("\n")}\n`;
const effectsOf = ({ features }: Sensitivity, name: string) =>
  features.find(({ feature }) => feature === name)!.effects;

/** Expects that each effect on the sum equals that of a scenario with the same adjustment. */
async function expectScenarios(
  project: TrainedProject,
  base: Scenario,
  effects: SensitivityFeature["effects"],
) {
  expect(effects.length).toBeGreaterThan(0);
  const { id: baseScenarioId, checkpointId, dependentProjectCheckpoints } = base;
  for (const { adjustment, sumDifference } of effects) {
    const body = { baseScenarioId, checkpointId, dependentProjectCheckpoints, adjustments: [adjustment] };
    const made = await createScenario(project, body);
    expect(made.summary!.sum! - base.summary!.sum!).toBeCloseTo(sumDifference!, 5);
  }
}

const weather = await createTrainedProject({
  csv: dailyTemperature(200),
  target: "temp",
  timestamp: "day",
});
const project = await createTrainedProject({
  csv: dailyDemand(200),
  target: "demand",
  timestamp: "date",
  dependencies: [{ projectId: weather.projectId, featureName: "warmth" }],
});
const base = await createScenario(project, {
  fileData: base64(csv(30)),
  dependentProjectCheckpoints: { [weather.projectId]: null },
});

const lagged = await createTrainedProject({
  csv: dailyDemand(200),
  target: "demand",
  timestamp: "date",
  request: { algorithm: "gradient_boosting", features: { lags: [1, 2] }, horizon: 7 },
});
const lines = Array.from({ length: 120 }, (_, i) => {
  const [kind, open] = [["a", "b", "c"][(i * 7) % 3]!, i % 2 === 0];
  return `${kind},${open},${{ a: 1, b: 5, c: 9 }[kind]! + (open ? 20 : 0) + (i % 5) / 10}`;
});
const table = await createTrainedProject({
  csv: `kind,open,y\n${lines.join("\n")}\n`,
  target: "y",
  request: { algorithm: "gradient_boosting" },
});

test("returns effects that equal those of scenarios with the same adjustment, also of upstream features", async () => {
  const found = await measured(project, base, { change: "deviation" });
  expect(found).toMatchObject({ rowCount: 30, evaluatedRows: 30, sample: "all", trainingRows: 200 });
  expect(found.sum).toBeCloseTo(base.summary!.sum!, 6);
  expect(new Set(found.features.map(({ feature }) => feature))).toEqual(new Set(["price", "warmth"]));
  const upstream = found.features.find(({ feature }) => feature === "warmth")!;
  expect(upstream.sourceProjectId).toBe(weather.projectId);
  await expectScenarios(project, base, effectsOf(found, "price"));
  await expectScenarios(project, base, effectsOf(found, "warmth"));
});

test("changes and measures the rows of a span", async () => {
  const query = { from: day(3), to: day(12), feature: "price", change: "range" };
  const found = await measured(project, base, query);
  expect(found).toMatchObject({ rowCount: 10, evaluatedRows: 10, omittedFeatures: 0 });
  expect(effectsOf(found, "price")[0]!.adjustment).toMatchObject({ from: day(3), to: day(12) });
  await expectScenarios(project, base, effectsOf(found, "price"));
});

test("carries a change to later days if rows build on each other", async () => {
  const scenario = await createScenario(lagged, { fileData: base64(csv(20)) });
  await expectScenarios(
    lagged,
    scenario,
    effectsOf(await measured(lagged, scenario, { change: "range" }), "price"),
  );
  // The effect on the last ten days stays part of the whole effect.
  const late = await measured(lagged, scenario, { from: day(10), change: "range" });
  await expectScenarios(lagged, scenario, effectsOf(late, "price"));
});

test("returns response curves and densities on request", async () => {
  const plain = await measured(project, base);
  expect(plain.features.every((one) => one.curve === undefined && one.density === undefined)).toBe(true);
  const { features } = await measured(project, base, { curves: "true", feature: "price" });
  const { curve, density } = features[0]!;
  expect(curve!.means.length).toBe(25);
  expect(density!.counts.reduce((sum, count) => sum + count, 0)).toBe(200);
  // The model is linear in the price.
  const slopes = curve!.values
    .slice(1)
    .map((value, at) => (curve!.means[at + 1]! - curve!.means[at]!) / (value - curve!.values[at]!));
  for (const slope of slopes) expect(slope).toBeCloseTo(slopes[0]!, 3);
  expect(slopes[0]).toBeLessThan(-4);
});

test("sets categories and booleans of a table without times to each known value", async () => {
  const scenario = await createScenario(table, {});
  const found = await measured(table, scenario);
  expect(found.features.map(({ feature }) => feature)).toEqual(["open", "kind"]);
  expect(
    effectsOf(found, "kind")
      .map(({ adjustment }) => adjustment.value)
      .sort(),
  ).toEqual(["a", "b", "c"]);
  await expectScenarios(table, scenario, effectsOf(found, "kind"));
  await expectScenarios(table, scenario, effectsOf(found, "open"));
  const spanned = await call(table, scenario.id, { from: "2026-02-01" });
  expect([spanned.status, spanned.error?.details?.[0]?.code]).toEqual([400, "no_timestamp"]);
});

test("rejects unknown features, empty spans, models without inputs and scenarios that are not ready", async () => {
  const rejected: [Record<string, string>, string][] = [
    [{ feature: "prise" }, "unknown_feature"],
    [{ from: day(100) }, "no_rows"],
    [{ from: day(5), to: day(1) }, "after_to"],
  ];
  for (const [query, code] of rejected) {
    const { status, error } = await call(project, base.id, query);
    expect([query, status, error?.code, error?.details?.[0]?.code]).toEqual([
      query,
      ...[400, "validation_failed", code],
    ]);
  }
  const unread = await call(project, base.id, { from: "yesterday" });
  expect([unread.status, unread.error?.details?.[0]?.field]).toEqual([400, "from"]);
  const alone = await createScenario(weather, {});
  const { status, error } = await call(weather, alone.id);
  expect([status, error?.details?.[0]?.code]).toEqual([400, "no_inputs"]);
  const { data } = await postScenario(weather, {});
  expect((await call(weather, data.scenarioId)).error?.code).toBe("scenario_not_ready");
  expect((await call(project, crypto.randomUUID())).error?.code).toBe("scenario_not_found");
});
