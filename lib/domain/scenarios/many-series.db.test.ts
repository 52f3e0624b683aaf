import { expect, test } from "vitest";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { OutlookPeriod } from "#lib/contract/outlook";
import type { Prediction } from "#lib/contract/predictions";
import type { Difference } from "#lib/contract/scenario-differences";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type {
  Comparison,
  Contributions,
  PredictionChart,
  PredictionRow,
} from "#lib/contract/scenario-series";
import { callRoute } from "#testing/api";
import { createPanelProject, panelDay, panelDays, panelStores } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, postScenario } from "#testing/scenario-factory";
import { POST as appendRoute } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as actualsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as outlookRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/outlook/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();
const project = await createPanelProject();
const { projectId, as } = project;
const STEPS = 7;
const base = await createScenario(project, { endDate: panelDay(panelDays + STEPS - 1), title: "Base" });
const calm = await createScenario(project, {
  title: "No promotions in the south",
  baseScenarioId: base.id,
  adjustments: [
    {
      feature: "promo",
      operation: "set",
      value: 1,
      where: [{ feature: "region", operator: "=", value: "south" }],
    },
  ],
});

const params = (scenarioId?: string) => ({ as, params: { projectId, ...(scenarioId && { scenarioId }) } });
const rowsOf = async (scenarioId: string, query: Record<string, string> = {}) =>
  (await callRoute<PredictionRow[]>(predictionsRoute, { ...params(scenarioId), query })).data;

test("a generated scenario has the rows of every series", async () => {
  expect(base.rowCount).toBe(6 * STEPS);
  const rows = await rowsOf(base.id);
  expect(new Set(rows.map(({ store, item }) => `${store} ${item}`)).size).toBe(6);
  expect(rows.every(({ prediction }) => Number.isFinite(prediction))).toBe(true);
  const byTime = Map.groupBy(rows, ({ timestamp }) => timestamp);
  const totals = [...byTime.values()].map((some) =>
    some.reduce((sum, { prediction }) => sum + prediction!, 0),
  );
  expect(base.summary!.sum).toBeCloseTo(
    totals.reduce((a, b) => a + b),
    6,
  );
  expect(base.summary!.max).toBeCloseTo(Math.max(...totals), 6);
});

test("the total of several times has one interval, in summary, comparison and outlook", async () => {
  const { data: chart } = await callRoute<PredictionChart>(predictionsRoute, {
    ...params(base.id),
    query: { maxPoints: "100", by: "store" },
  });
  const halves = chart.values.map((value, at) => chart.upper[at]! - value!);
  const { sum, sumInterval } = base.summary!;
  const half = sumInterval!.upper! - sum!;
  expect(half).toBeGreaterThanOrEqual(Math.hypot(...halves) - 1e-9);
  expect(half).toBeLessThanOrEqual(halves.reduce((total, one) => total + one, 0) + 1e-9);
  const { data: compared } = await callRoute<Comparison>(compareRoute, {
    ...params(),
    query: { ids: `${base.id},${calm.id}` },
  });
  expect(compared.series[0]!.summary!.sumInterval!.upper).toBeCloseTo(sumInterval!.upper!, 6);
  const { data: periods } = await callRoute<OutlookPeriod[]>(outlookRoute, {
    ...params(base.id),
    query: { period: "year", from: panelDay(panelDays) },
  });
  const rest = periods.at(-1)!;
  expect(rest.upper! - rest.actual!).toBeCloseTo(sumInterval!.upper!, 6);
});

test("sums have intervals between those of independent and of equal errors, and one series has its own", async () => {
  const chart = async (query: Record<string, string>) =>
    (
      await callRoute<PredictionChart>(predictionsRoute, {
        ...params(base.id),
        query: { maxPoints: "100", ...query },
      })
    ).data;
  const rows = await rowsOf(base.id);
  const widths = rows
    .filter(({ timestamp }) => timestamp === rows[0]!.timestamp)
    .map(({ prediction, upper }) => upper! - prediction!);
  const total = await chart({ by: "store" });
  const half = total.upper[0]! - total.values[0]!;
  expect(half).toBeGreaterThanOrEqual(Math.hypot(...widths) - 1e-9);
  expect(half).toBeLessThanOrEqual(widths.reduce((sum, width) => sum + width, 0) + 1e-9);
  for (const { series } of total.groups!) expect(series[0]!.upper[0]).toBeGreaterThan(series[0]!.values[0]!);
  const leaves = await chart({ by: "item", where: "store:A" });
  const own = rows.filter(({ store, item }) => store === "A" && item === leaves.groups![0]!.values.item);
  expect(leaves.groups![0]!.series[0]!.lower).toEqual(own.map(({ lower }) => lower));
});

test("an adjustment with where changes only the series of its level", async () => {
  const { data } = await callRoute<Comparison>(compareRoute, {
    ...params(),
    query: { ids: `${base.id},${calm.id}`, by: "store" },
  });
  const groups = Object.fromEntries(
    data.groups!.map(({ values, series }) => [values.store, series[1]!.totalDifference!]),
  );
  expect(groups.C).toBe(0);
  expect(groups.A).toBeGreaterThan(0);
  expect(groups.B).toBeGreaterThan(0);
  expect(groups.A! + groups.B!).toBeCloseTo(data.series[1]!.totalDifference!, 9);
  expect(data.differs.inputs.map(({ feature, changedRows }) => [feature, changedRows > 0])).toEqual([
    ["promo", true],
  ]);
});

test("rows in CSV and in JSON have the same bits", async () => {
  const rows = await rowsOf(base.id);
  const csv = await callRoute(predictionsRoute, { ...params(base.id), headers: { accept: "text/csv" } });
  const [header, ...lines] = csv.text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  const at = header!.indexOf("prediction");
  expect(lines.map((line) => Number(line[at]))).toEqual(rows.map(({ prediction }) => prediction));
  expect(lines.map((line) => line[header!.indexOf("store")])).toEqual(rows.map(({ store }) => store));
});

test("predict returns the bits of the scenario, for rows of any series in any order, with levels from the known rows", async () => {
  const { data: listed } = await callRoute<ScenarioRows>(rowsRoute, {
    ...params(base.id),
    query: { limit: "200" },
  });
  const rows = listed.rows.toReversed().filter(({ row }) => row % 4 !== 0);
  const names = listed.columns.map(({ name }) => name).filter((name) => name !== "region");
  const input = Object.fromEntries(
    names.map((name) => [
      name,
      rows.map((row) => row.input[listed.columns.findIndex((one) => one.name === name)]),
    ]),
  );
  // Series are given as text or as number.
  const asNumbers = { ...input, item: input.item!.map(Number) };
  const { data, text } = await callRoute<Prediction>(predictRoute, {
    ...params(),
    body: { input: asNumbers },
  });
  expect(data?.predictions, text).toEqual(rows.map(({ prediction }) => prediction));
  expect(data.warnings).toEqual([]);
});

test("predict accepts an unknown series, with a warning", async () => {
  const input = {
    date: [panelDay(panelDays)],
    store: ["Z"],
    item: ["1"],
    region: ["south"],
    price: [5],
    promo: [0],
  };
  const { data, text } = await callRoute<Prediction>(predictRoute, { ...params(), body: { input } });
  expect(data?.warnings, text).toMatchObject([
    { code: "unseen_category" },
    { code: "unknown_series", rows: 1 },
  ]);
  expect(Number.isFinite(data.predictions[0])).toBe(true);
});

const line = (store: string, item: number, at: number) => `${panelDay(panelDays + at)},${store},${item},5,0`;
const fileOf = (lines: string[]) => base64(`date,store,item,price,promo\n${lines.join("\n")}\n`);

test("an upload has rows in any order, and takes absent levels from the known series", async () => {
  const lines = Object.keys(panelStores).flatMap((store) => [2, 0, 1].map((at) => line(store, 1, at)));
  const scenario = await createScenario(project, { title: "File", fileData: fileOf(lines) });
  const { data } = await callRoute<ScenarioRows>(rowsRoute, {
    ...params(scenario.id),
    query: { where: "region:north" },
  });
  expect(data.rows.map(({ timestamp, store }) => [timestamp!.slice(0, 10), store])).toEqual(
    [2, 0, 1].map((at) => [panelDay(panelDays + at), "C"]),
  );
});

test("an upload names the row of a time that its series already has, and absent series columns", async () => {
  const twice = fileOf([line("A", 1, 0), line("B", 1, 0), line("A", 1, 0)]);
  const { error } = await postScenario(project, { fileData: twice });
  expect(error).toMatchObject({ code: "input_invalid", details: [{ row: 3, code: "timestamps_duplicate" }] });
  const without = base64(`date,store,price,promo\n${panelDay(panelDays)},A,5,0\n`);
  const absent = await postScenario(project, { fileData: without });
  expect(absent.error).toMatchObject({
    code: "input_invalid",
    details: [{ column: "item", code: "missing_column" }],
  });
});

test("contributions of rows add up to their predictions", async () => {
  const { data, text } = await callRoute<Contributions>(contributionsRoute, {
    ...params(base.id),
    query: { rows: "9,2,40" },
  });
  const rows = await rowsOf(base.id);
  expect(data?.predictions, text).toEqual([9, 2, 40].map((row) => rows[row - 1]!.prediction));
  for (const [at, values] of data.values.entries())
    expect(values.reduce((sum, value) => sum + value, data.baseValue)).toBeCloseTo(data.predictions[at]!, 6);
});

test("a difference is split by its causes, in total and at each time, also of chosen series", async () => {
  const difference = async (query: Record<string, string>) => {
    const { data, text } = await callRoute<Difference>(differenceRoute, {
      ...params(calm.id),
      query: { baselineId: base.id, ...query },
    });
    expect(data, text).toBeDefined();
    return data;
  };
  const compared = await callRoute<Comparison>(compareRoute, {
    ...params(),
    query: { ids: `${base.id},${calm.id}` },
  });
  const { totalDifference, differences } = compared.data.series[1]!;
  const all = await difference({});
  expect(all.totalDifference).toBeCloseTo(totalDifference!, 6);
  expect(all.commonRows).toBe(6 * STEPS);
  const causes = all.parts.filter(({ total }) => total !== 0);
  expect(causes.map(({ feature }) => feature)).toEqual(["promo"]);
  expect(all.timestamps).toEqual(compared.data.timestamps);
  all.differences.forEach((value, at) => {
    expect(value).toBeCloseTo(differences[at]!, 6);
    expect(all.parts.reduce((sum, { values }) => sum + values[at]!, 0)).toBeCloseTo(value!, 6);
  });
  const north = await difference({ where: "region:north" });
  expect(north.commonRows).toBe(2 * STEPS);
  expect(north.totalDifference).toBe(0);
  const day = await difference({ where: "store:A", from: all.timestamps![2]!, to: all.timestamps![2]! });
  expect(day.commonRows).toBe(2);
});

test("a difference with several causes has parts that add up to it", async () => {
  const dear = await createScenario(project, {
    title: "Dear",
    baseScenarioId: calm.id,
    adjustments: [
      { feature: "price", operation: "add", value: 1 },
      {
        feature: "promo",
        operation: "set",
        value: 0,
        where: [{ feature: "store", operator: "=", value: "A" }],
      },
    ],
  });
  const { data, text } = await callRoute<Difference>(differenceRoute, {
    ...params(dear.id),
    query: { baselineId: base.id },
  });
  const causes = data.parts.filter(({ total }) => total !== 0);
  expect(causes.map(({ feature }) => feature).sort(), text).toEqual(["price", "promo"]);
  expect(data.parts.reduce((sum, { total }) => sum + total, 0)).toBeCloseTo(data.totalDifference, 6);
  data.differences.forEach((value, at) => {
    expect(data.parts.reduce((sum, { values }) => sum + values[at]!, 0)).toBeCloseTo(value!, 6);
  });
});

test("an adjustment cannot change the series of a row", async () => {
  const adjustments = [{ feature: "store", operation: "set", value: "B" }];
  const { error } = await postScenario(project, { baseScenarioId: base.id, adjustments });
  expect(error).toMatchObject({ details: [{ field: "adjustments.0", code: "series_column" }] });
});

test("a scenario of more rows than many series may have is rejected", async () => {
  const { error } = await postScenario(project, { endDate: "3025-01-01" });
  expect(error).toMatchObject({ code: "validation_failed" });
});

test("actuals of each series and time give the errors of the sums, and newer rows of one series change only its predictions", async () => {
  const days = [0, 1];
  const inputs = (some: readonly string[]) => ({
    date: some.map(() => panelDay(panelDays + STEPS)),
    store: some,
    item: some.map(() => "1"),
    price: some.map(() => 5),
    promo: some.map(() => 0),
  });
  const predict = async () =>
    (await callRoute<Prediction>(predictRoute, { ...params(), body: { input: inputs(["A", "B", "C"]) } }))
      .data;
  const before = await predict();
  const lines = days.flatMap((at) =>
    ["1", "2"].map((item) => `${panelDay(panelDays + at)},A,${item},south,5,0,90`),
  );
  const append = (some: string[]) =>
    callRoute(appendRoute, {
      ...params(),
      body: { fileData: base64(`date,store,item,region,price,promo,sales\n${some.join("\n")}\n`) },
    });
  const { status, text } = await append(lines);
  expect(status, text).toBe(200);
  const after = await predict();
  expect(after.predictions[0]).not.toBe(before.predictions[0]);
  expect(after.predictions.slice(1)).toEqual(before.predictions.slice(1));
  const actuals = async (query: Record<string, string | string[]>) =>
    (await callRoute<ScenarioActuals>(actualsRoute, { ...params(base.id), query })).data;
  const ofStore = await actuals({ where: "store:A" });
  expect(ofStore.errors!.rows).toBe(2);
  expect(ofStore.actual.slice(0, 2)).toEqual([180, 180]);
  const rows = await rowsOf(base.id, { where: "store:A" });
  const sum = rows
    .filter(({ timestamp }) => timestamp!.startsWith(panelDay(panelDays)))
    .reduce((total, { prediction }) => total + prediction!, 0);
  expect(ofStore.predicted[0]).toBeCloseTo(sum, 9);
  // The actuals of the other stores are not known, so that of the total is not known either.
  const total = await actuals({ by: "store" });
  expect(total.errors).toBeNull();
  const groups = new Map(total.groups!.map(({ values, errors }) => [values.store, errors]));
  expect([...groups.keys()].sort()).toEqual(["A", "B", "C"]);
  expect(groups.get("A")).toEqual(ofStore.errors);
  expect(groups.get("B")).toBeNull();
  const items = await actuals({ where: "store:A", by: ["store", "item"], limit: "1" });
  expect(items.groups).toHaveLength(1);
  expect(items.groups![0]!.errors!.rows).toBe(2);
  const compared = await callRoute<Comparison>(compareRoute, {
    ...params(),
    query: { ids: `${base.id},${calm.id}`, where: "store:A" },
  });
  expect(compared.data.actual!.slice(0, 3)).toEqual([180, 180, null]);
});
