import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import type { Difference } from "#lib/contract/scenario-differences";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
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
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as previewRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

const { db } = await createTestDatabase();

const call = ({ projectId, as }: TrainedProject, scenarioId: string, body: object) =>
  callRoute<ScenarioPreview>(previewRoute, { params: { projectId, scenarioId }, as, body });

const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const csv = (days: number) =>
  `date,price\n${Array.from({ length: days }, (_, i) => `${day(i)},${5 + (i % 4)}`).join("\n")}\n`;

const weather = await createTrainedProject({
  csv: dailyTemperature(200),
  target: "temp",
  timestamp: "day",
});
const series = { csv: dailyDemand(200), target: "demand", timestamp: "date" };
const project = await createTrainedProject({
  ...series,
  dependencies: [{ projectId: weather.projectId, featureName: "warmth" }],
});
// Long enough that a thread predicts it.
const base = await createScenario(project, {
  fileData: base64(csv(250)),
  dependentProjectCheckpoints: { [weather.projectId]: null },
});
const lagged = await createTrainedProject({
  ...series,
  request: { algorithm: "gradient_boosting", features: { lags: [1, 2] }, horizon: 7 },
});
const generated = await createScenario(lagged, { endDate: day(24) });
const lines = Array.from({ length: 120 }, (_, i) => {
  const [kind, open] = [["a", "b", "c"][(i * 7) % 3]!, i % 2 === 0];
  return `${kind},${open},${i % 9},${{ a: 1, b: 5, c: 9 }[kind]! + (open ? 20 : 0) + (i % 9) / 2}`;
});
const table = await createTrainedProject({
  csv: `kind,open,size,y\n${lines.join("\n")}\n`,
  target: "y",
  request: { algorithm: "gradient_boosting" },
});
const rows = await createScenario(table, {});

/** Finite numbers of moderate size, so that products of several stay finite. */
const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const operation = fc.constantFrom("add", "multiply", "set");
const numeric = (feature: string) => fc.record({ feature: fc.constant(feature), operation, value: number });
const setTo = (feature: string, value: fc.Arbitrary<Adjustment["value"]>) =>
  fc.record({ feature: fc.constant(feature), operation: fc.constant("set"), value });
const span = fc
  .tuple(fc.nat(29), fc.nat(29))
  .map((ends) => ends.toSorted((a, b) => a - b))
  .map(([from, to]) => ({ from: day(from!), to: day(to!) }));
const where = numeric("price").map(({ value }) => ({
  where: [{ feature: "price", operator: ">", value: (value as number) / 1e5 }],
}));
const timed = (...changes: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc
    .tuple(fc.oneof(...changes), fc.option(span), fc.option(where))
    .map((parts) => Object.assign({}, ...parts));

/** Expects that a preview equals the scenario with the same recipe, to the bit. */
async function expectScenario(of: TrainedProject, from: Scenario, adjustments: object[], query: object = {}) {
  const previewed = await call(of, from.id, { adjustments, levels: [0.5], explain: true, ...query });
  expect(previewed.status, previewed.text).toBe(200);
  const { preview, saved, summary, explanation, ...found } = previewed.data;
  const { id: baseScenarioId, checkpointId, dependentProjectCheckpoints } = from;
  const made = await createScenario(of, {
    baseScenarioId,
    checkpointId,
    dependentProjectCheckpoints,
    adjustments,
  });
  const params = { projectId: of.projectId };
  const chart = await callRoute<PredictionChart>(predictionsRoute, {
    params: { ...params, scenarioId: made.id },
    as: of.as,
    query: { maxPoints: "20000", levels: "0.5", ...query },
  });
  const { values, lower, upper, levels, rowCounts } = chart.data;
  expect(preview).toEqual({ values, lower, upper, levels, ...(rowCounts && { rowCounts }) });
  expect(summary).toEqual(made.summary);
  const compared = await callRoute<Comparison>(compareRoute, {
    params,
    as: of.as,
    query: { ids: `${from.id},${made.id}`, levels: "0.5", ...query },
  });
  const [own, other] = compared.data.series;
  expect(saved.values).toEqual(own!.values);
  const explained = await callRoute<Difference>(differenceRoute, {
    params: { ...params, scenarioId: made.id },
    as: of.as,
    query: { baselineId: from.id },
  });
  expect(explained.data).toMatchObject(explanation!);
  const { totalDifference, totalDifferenceInterval, differsAtLevel, percentDifference } = other!;
  expect(found).toMatchObject({
    totalDifference,
    totalDifferenceInterval,
    differsAtLevel,
    percentDifference,
  });
}

test.each([
  ["with an upstream feature", project, base, timed(numeric("price"), numeric("warmth"))],
  ["whose rows build on each other, with generated inputs", lagged, generated, timed(numeric("price"))],
  [
    "without times",
    table,
    rows,
    fc.oneof(
      numeric("size"),
      setTo("kind", fc.constantFrom("a", "b", "unseen")),
      setTo("open", fc.boolean()),
    ),
  ],
] as const)("equals the scenario with the same adjustments, for a model %s", async (_, of, from, change) => {
  await fc.assert(
    fc.asyncProperty(fc.array<object>(change, { maxLength: 5 }), (recipe) =>
      expectScenario(of, from, recipe),
    ),
    { numRuns: 5 },
  );
});

test("aggregates both series by the same buckets, and downsamples them to the same points", async () => {
  const recipe = [{ feature: "price", operation: "add", value: 1, from: day(3), to: day(12) }];
  await expectScenario(project, base, recipe, { bucket: "week", aggregate: "sum" });
  const { data } = await call(project, base.id, { adjustments: recipe, maxPoints: 8 });
  expect(data.changedRows).toEqual([10]);
  expect(data.timestamps!.length).toBeLessThanOrEqual(8);
  expect(data.saved.values).toHaveLength(data.timestamps!.length);
  expect(data.preview.values).toHaveLength(data.timestamps!.length);
  expect(data.explanation).toBeUndefined();
  const explained = await call(project, base.id, { adjustments: recipe, maxPoints: 8, explain: true });
  expect(explained.data.explanation!.timestamps!.length).toBeLessThanOrEqual(8);
});

test("stores nothing", async () => {
  const count = async () => (await db.execute("select count(*) from scenarios")).at(0);
  const before = await count();
  await call(project, base.id, { adjustments: [] });
  expect(await count()).toEqual(before);
});

test("rejects adjustments that cannot be applied, long scenarios, and scenarios that are not ready", async () => {
  const price = { feature: "price", operation: "add", value: 1 };
  for (const [body, field, code] of [
    [{ adjustments: [{ ...price, feature: "prise" }] }, "adjustments.0", "unknown_feature"],
    [{ adjustments: [price, { ...price, value: "dear" }] }, "adjustments.1", "wrong_type"],
    [{ adjustments: [{ ...price, from: day(5), to: day(1) }] }, "adjustments.0", "after_to"],
    [{ adjustments: [{ ...price, feature: "date" }] }, "adjustments.0", "wrong_type"],
    [{ adjustments: Array(limits.adjustmentsMax + 1).fill(price) }, "adjustments", "too_big"],
    [{ adjustments: [], maxPoints: 1 }, "maxPoints", "too_small"],
    [{}, "adjustments", "required"],
  ] as const) {
    const { status, error } = await call(project, base.id, body);
    expect([body, status, error?.code, error?.details?.[0]?.field]).toEqual([
      body,
      400,
      "validation_failed",
      field,
    ]);
    expect(error?.details?.[0]?.code).toBe(code);
  }
  const untimed = await call(table, rows.id, { adjustments: [], bucket: "day" });
  expect([untimed.status, untimed.error?.details?.[0]?.field]).toEqual([400, "bucket"]);
  const long = await createScenario(lagged, { fileData: base64(csv(limits.previewRowsTogether + 1)) });
  const rejected = await call(lagged, long.id, { adjustments: [] });
  expect([rejected.status, rejected.error?.details?.[0]?.code]).toEqual([400, "too_many_rows"]);
  const alone = await createScenario(weather, {});
  const none = await call(weather, alone.id, { adjustments: [] });
  expect([none.status, none.error?.details?.[0]?.code]).toEqual([400, "no_inputs"]);
  const { data } = await postScenario(project, {
    dependentProjectCheckpoints: { [weather.projectId]: null },
  });
  const early = await call(project, data.scenarioId, { adjustments: [] });
  expect(early.error?.code).toBe("scenario_not_ready");
  expect((await call(project, crypto.randomUUID(), { adjustments: [] })).error?.code).toBe(
    "scenario_not_found",
  );
});
