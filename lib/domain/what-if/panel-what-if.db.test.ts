import { expect, test } from "vitest";
import type { GoalSeekResult } from "#lib/contract/goal-seek";
import { limits } from "#lib/contract/limits";
import type { LiveModelResponse } from "#lib/contract/live-model";
import type { Difference } from "#lib/contract/scenario-differences";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Sensitivity } from "#lib/contract/sensitivity";
import type { ListedSeries } from "#lib/contract/series";
import { callRoute } from "#testing/api";
import { createPanelProject, panelCsv, panelDay, panelDays } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { createScenario } from "#testing/scenario-factory";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { POST as goalRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/goal-seek/route.ts";
import { GET as liveRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/live-model/route.ts";
import { GET as chartRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as previewRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";
import { GET as sensitivityRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/sensitivity/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";
import { GET as seriesRoute } from "../../../app/api/v1/projects/[projectId]/series/route.ts";

await createTestDatabase();
const STEPS = 7;
// Series of other lengths, so that their forecasts begin at different times.
const csv = panelCsv()
  .trim()
  .split("\n")
  .filter((line) => !(line.includes(",B,2,") && line.slice(0, 10) >= panelDay(panelDays - 3)));
const project = await createPanelProject(`${csv.join("\n")}\n`);
const { projectId, as } = project;
const base = await createScenario(project, { endDate: panelDay(panelDays + STEPS - 1), title: "Base" });
const recipe: Adjustment[] = [
  { feature: "price", operation: "multiply", value: 0.8, from: panelDay(panelDays + 2) },
  {
    feature: "promo",
    operation: "set",
    value: 1,
    where: [{ feature: "region", operator: "=", value: "south" }],
  },
];
const { id: baseScenarioId, checkpointId } = base;
const made = await createScenario(project, { baseScenarioId, checkpointId, adjustments: recipe });
const of = (scenarioId?: string) => ({ as, params: { projectId, ...(scenarioId && { scenarioId }) } });
const { data: listed } = await callRoute<ListedSeries[]>(seriesRoute, of());
const idOf = (store: string, item: string) =>
  listed.find(({ values }) => values.store === store && values.item === item)!.id;

const preview = (body: object) =>
  callRoute<ScenarioPreview>(previewRoute, { ...of(base.id), body: { adjustments: recipe, ...body } });

const choices: [string, { series?: string[]; where?: string[] }][] = [
  ["all series", {}],
  ["a level", { where: ["region:south"] }],
  ["a series that ended earlier", { where: ["store:B", "item:2"] }],
  ["series by ID", { series: [idOf("A", "1"), idOf("C", "2")] }],
];

test.each(choices)("a preview of %s equals the scenario with the same adjustments", async (_, choice) => {
  const query = { maxPoints: "1000", levels: "0.5", ...choice };
  const { status, text, data } = await preview({ levels: [0.5], explain: true, ...choice });
  expect(status, text).toBe(200);
  const chart = async (id: string) =>
    (await callRoute<PredictionChart>(chartRoute, { ...of(id), query })).data;
  const [saved, other] = [await chart(base.id), await chart(made.id)];
  const shown = ({ values, lower, upper, levels }: PredictionChart) => ({ values, lower, upper, levels });
  expect(data.preview).toEqual(shown(other));
  expect(data.saved).toEqual(shown(saved));
  expect("timestamps" in data && data.timestamps).toEqual("timestamps" in other && other.timestamps);
  const compared = await callRoute<Comparison>(compareRoute, {
    ...of(),
    query: { ids: `${base.id},${made.id}`, ...choice },
  });
  const { totalDifference, percentDifference } = compared.data.series[1]!;
  expect(data).toMatchObject({ totalDifference, percentDifference, totalDifferenceInterval: null });
  if (choice.series === undefined && choice.where === undefined) expect(data.summary).toEqual(made.summary);
  const explained = await callRoute<Difference>(differenceRoute, {
    ...of(made.id),
    query: { baselineId: base.id, ...choice },
  });
  expect(explained.data).toMatchObject(data.explanation!);
  expect(data.explanation!.parts.map(({ feature }) => feature).sort()).toEqual(["price", "promo"]);
});

test("a preview with buckets equals the chart of the scenario", async () => {
  const bucket = { bucket: "week", aggregate: "sum", where: ["store:A"] };
  const { data } = await preview(bucket);
  const chart = await callRoute<PredictionChart>(chartRoute, {
    ...of(made.id),
    query: { maxPoints: "1000", ...bucket },
  });
  expect(data.buckets).toEqual(chart.data.buckets);
  const { values, lower, upper, rowCounts } = chart.data;
  expect(data.preview).toEqual({ values, lower, upper, rowCounts });
});

test("a preview counts the changed rows of the chosen series", async () => {
  const { data } = await preview({ where: ["region:south"] });
  expect(data.rowCount).toBe(4 * STEPS);
  expect(data.changedRows).toEqual([4 * (STEPS - 2), 4 * STEPS]);
});

test("unknown series, values and changes of a series column are rejected", async () => {
  const cases: [object, object][] = [
    [{ where: ["store:Z"] }, { details: [{ field: "where", code: "unknown_value" }] }],
    [{ series: [crypto.randomUUID()] }, { code: "series_not_found" }],
    [
      { adjustments: [{ feature: "store", operation: "set", value: "A" }] },
      { details: [{ field: "adjustments.0", code: "series_column" }] },
    ],
  ];
  for (const [body, error] of cases) expect((await preview(body)).error).toMatchObject(error);
});

test("the page gets no model to run", async () => {
  const { data } = await callRoute<LiveModelResponse>(liveRoute, of(base.id));
  expect(data).toEqual({ model: null });
});

test("each effect of a sensitivity is the difference of the scenario with its adjustment", async () => {
  const { data, text } = await callRoute<Sensitivity>(sensitivityRoute, {
    ...of(base.id),
    query: { where: "store:A", curves: "true" },
  });
  expect(data?.rowCount, text).toBe(2 * STEPS);
  const effects = data.features.flatMap((one) => one.effects);
  expect(data.features.map(({ feature }) => feature).sort()).toEqual(["price", "promo"]);
  expect(effects.some(({ sumDifference }) => Math.abs(sumDifference!) > 1)).toBe(true);
  for (const { adjustment, sumDifference } of effects) {
    expect(adjustment.where).toEqual([{ feature: "store", operator: "=", value: "A" }]);
    const changed = await createScenario(project, { baseScenarioId: base.id, adjustments: [adjustment] });
    const compared = await callRoute<Comparison>(compareRoute, {
      ...of(),
      query: { ids: `${base.id},${changed.id}` },
    });
    expect(compared.data.series[1]!.totalDifference).toBeCloseTo(sumDifference!, 6);
  }
});

test("a goal seek returns adjustments of the chosen series that reach its goal", async () => {
  const choice = { where: ["store:A", "store:C"] };
  const chart = async (id: string) =>
    (await callRoute<PredictionChart>(chartRoute, { ...of(id), query: { maxPoints: "1000", ...choice } }))
      .data;
  const sumOf = ({ values }: PredictionChart) => values.reduce<number>((sum, value) => sum + value!, 0);
  const saved = sumOf(await chart(base.id));
  const { data, text } = await callRoute<GoalSeekResult>(goalRoute, {
    ...of(base.id),
    body: {
      levers: [{ feature: "price", operation: "multiply", min: 0.5, max: 1.5, step: 0.05 }],
      goal: { statistic: "sum", relation: "atLeast", value: saved * 1.05 },
      ...choice,
    },
  });
  expect(data?.status, text).toBe("reached");
  expect(data.rowCount).toBe(4 * STEPS);
  expect(data.adjustments.map(({ where }) => where![0]!.value).sort()).toEqual(["A", "C"]);
  const changed = await createScenario(project, {
    baseScenarioId: base.id,
    adjustments: data.adjustments,
  });
  expect(sumOf(await chart(changed.id))).toBeCloseTo(data.goal!, 6);
  const rest = await callRoute<Comparison>(compareRoute, {
    ...of(),
    query: { ids: `${base.id},${changed.id}`, where: "store:B" },
  });
  expect(rest.data.series[1]!.totalDifference).toBe(0);
});

test("what-ifs of more than 200 series are rejected, and of a choice among them predicted", {
  timeout: 180_000,
}, async () => {
  const stores = Array.from({ length: limits.whatIfSeries + 1 }, (_, at) => `s${at}`);
  const lines = stores.flatMap((store, s) =>
    Array.from(
      { length: 40 },
      (_, at) =>
        `${panelDay(at)},${store},${5 + ((at >> 3) % 3)},${20 + (s % 7) + (at % 7) - ((at >> 3) % 3)}`,
    ),
  );
  const many = await createPanelProject(`date,store,price,sales\n${lines.join("\n")}\n`, ["store"]);
  const scenario = await createScenario(many, { endDate: panelDay(42) });
  const params = { as: many.as, params: { projectId: many.projectId, scenarioId: scenario.id } };
  const adjustments = [{ feature: "price", operation: "set", value: 5 }];
  const all = await callRoute(previewRoute, { ...params, body: { adjustments } });
  expect(all.status).toBe(400);
  expect(all.error).toMatchObject({
    code: "validation_failed",
    details: [{ field: "where", code: "too_many_series" }],
  });
  expect(all.error!.message).toContain("201 series are chosen");
  const some = await callRoute<ScenarioPreview>(previewRoute, {
    ...params,
    body: { adjustments, where: ["store:s3", "store:s4"] },
  });
  expect(some.data?.rowCount, some.text).toBe(2 * 3);
  const sensitivity = await callRoute(sensitivityRoute, params);
  expect(sensitivity.error).toMatchObject({ details: [{ code: "too_many_series" }] });
});
