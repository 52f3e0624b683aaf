import { expect, test } from "vitest";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { Comparison, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import { seriesId } from "#lib/domain/datasets/series-id";
import { callRoute, createKey, createProject } from "#testing/api";
import { follow, nextAddress } from "#testing/follow-link";
import { createTestDatabase } from "#testing/postgres";
import { type PanelRow, storePanelScenario, storeScenario } from "#testing/stored-scenario";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as rowsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";
import { GET as compareRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();
const { id: projectId } = await createProject();
const as = await createKey({ projectId });
const day = 86_400_000;
const stores = { A: "south", B: "south", C: "north" };
const items = ["1", "2"];
const times = Array.from({ length: 5 }, (_, at) => Date.UTC(2026, 0, 1 + at));

/** Rows by time, then series, so that the rows of a series are not consecutive. The last time lacks the store C. */
const rowsOf = (predict: (store: string, item: number, at: number) => number): PanelRow[] =>
  times.flatMap((time, at) =>
    Object.entries(stores).flatMap(([store, region]) =>
      items.flatMap((item) =>
        at === 4 && store === "C"
          ? []
          : [{ store, item, region, time, prediction: predict(store, Number(item), at) }],
      ),
    ),
  );
const scale = { A: 100, B: 10, C: 1 };
const base = rowsOf((store, item, at) => scale[store as "A"] * item + at / 3);
const lower = rowsOf((store, item, at) => scale[store as "A"] * item + at / 3 - (store === "B" ? 30 : 0));
const baseId = await storePanelScenario(projectId, base, { title: "Base" });
const lowerId = await storePanelScenario(projectId, lower, { title: "Lower" });

type Query = Record<string, string | string[]>;
const call = (scenarioId: string | undefined, query: Query, accept = "application/json") => ({
  as,
  params: { projectId, ...(scenarioId && { scenarioId }) },
  query,
  headers: { accept },
});
const chart = async (query: Query) =>
  (await callRoute<PredictionChart>(predictionsRoute, call(baseId, { maxPoints: "100", ...query }))).data;
const compare = async (query: Query = {}) =>
  (await callRoute<Comparison>(compareRoute, call(undefined, { ids: `${baseId},${lowerId}`, ...query })))
    .data;
const idOf = (store: string, item: string) => seriesId(projectId, ["store", "item"], [store, item]);

const sumAt = (rows: readonly PanelRow[], at: number, isChosen: (row: PanelRow) => boolean = () => true) => {
  const chosen = rows.filter((row) => row.time === times[at] && isChosen(row));
  return chosen.length === 0 ? null : chosen.reduce((sum, { prediction }) => sum + prediction, 0);
};
const expectClose = (found: readonly (number | null)[], expected: readonly (number | null)[]) =>
  found.forEach((value, at) => {
    if (value === null || expected[at] === null) expect(value).toBe(expected[at]);
    else expect(Math.abs(value - expected[at]!)).toBeLessThan(1e-9);
  });

test("a chart shows the total over all series, without bounds", async () => {
  const found = await chart({});
  expect(found.rowCount).toBe(5);
  expect(found.timestamps).toEqual(times.map((time) => new Date(time).toISOString()));
  expectClose(
    found.values,
    times.map((_, at) => sumAt(base, at)),
  );
  expect(found.lower).toEqual(times.map(() => null));
  expect(found.groups).toBeUndefined();
});

test("a chart of one series has its stored values and bounds", async () => {
  const found = await chart({ series: idOf("C", "2") });
  const own = base.filter(({ store, item }) => store === "C" && item === "2");
  expect(found.values).toEqual(own.map(({ prediction }) => prediction));
  expect(found.lower).toEqual(own.map(({ prediction }) => prediction - 1));
  expect(found.rowCount).toBe(4);
});

test("where and series restrict each other, and values of one column are alternatives", async () => {
  const isChosen = ({ store, item }: PanelRow) => store !== "B" && item === "1";
  const query = { where: ["store:A", "store:C", "item:1"] };
  expectClose(
    (await chart(query)).values,
    times.map((_, at) => sumAt(base, at, isChosen)),
  );
  const one = await chart({ ...query, series: [idOf("A", "1"), idOf("B", "1")] });
  expectClose(
    one.values,
    times.map((_, at) => sumAt(base, at, ({ store, item }) => store + item === "A1")),
  );
});

test("groups add up to the chart, in descending order of their absolute totals, page by page", async () => {
  const found = await chart({ by: ["store", "region"] });
  expect(found.groups!.map(({ values }) => values)).toEqual([
    { store: "A", region: "south" },
    { store: "B", region: "south" },
    { store: "C", region: "north" },
  ]);
  expect(found.groups!.map(({ seriesCount }) => seriesCount)).toEqual([2, 2, 2]);
  expect(found.groups![2]!.series[0]!.values.at(-1)).toBeNull();
  const sums = times.map((_, at) =>
    found.groups!.reduce((sum, { series: [one] }) => sum + (one!.values[at] ?? 0), 0),
  );
  expectClose(found.values, sums);
  const first = await callRoute<PredictionChart>(predictionsRoute, call(baseId, { by: "item", limit: "1" }));
  expect(first.data.groups!.map(({ values }) => values)).toEqual([{ item: "2" }]);
  const next = await follow<PredictionChart>(predictionsRoute, nextAddress(first)!, call(baseId, {}));
  expect(next.data.groups!.map(({ values }) => values)).toEqual([{ item: "1" }]);
  expect(nextAddress(next)).toBeNull();
  const leaves = await chart({ by: ["store", "item"], where: "store:A" });
  expect(leaves.groups![0]!.series[0]).toMatchObject({
    lower: base.flatMap((row) => (row.store + row.item === "A2" ? [row.prediction - 1] : [])),
  });
});

test("groups of a range are ranked by their totals in it, and buckets group their rows", async () => {
  const from = new Date(times[4]!).toISOString();
  const found = await chart({ by: "region", from });
  expect(found.groups!.map(({ values, series }) => [values.region, series[0]!.total])).toEqual([
    ["south", sumAt(base, 4)],
    ["north", null],
  ]);
  const month = await chart({ by: "region", bucket: "month", aggregate: "sum" });
  expect(month.values).toHaveLength(1);
  expectClose(month.values, [month.groups!.reduce((sum, { series }) => sum + series[0]!.values[0]!, 0)]);
});

test("a comparison shows the totals, and differences by group that add up to them", async () => {
  const found = await compare({ by: "store" });
  const difference = found.series[1]!.totalDifference!;
  expect(difference).toBeCloseTo(-300, 9);
  expect(found.series[1]!.totalDifferenceInterval).toBeNull();
  expect(found.scenarios[0]!.summary.sum).toBeCloseTo(
    times.reduce((sum, _, at) => sum + sumAt(base, at)!, 0),
    6,
  );
  const parts = found.groups!.map(
    ({ values, series }) => [values.store, series[1]!.totalDifference!] as const,
  );
  expect(Object.fromEntries(parts)).toMatchObject({ A: 0, B: expect.closeTo(-300, 9), C: 0 });
  expectClose(
    found.series[1]!.differences,
    times.map((_, at) =>
      found.groups!.reduce((sum, { series }) => sum + (series[1]!.differences[at] ?? 0), 0),
    ),
  );
  expect((await compare({ where: "region:north" })).series[1]!.totalDifference).toBe(0);
  expect(found.differs.inputs).toEqual([]);
});

test("rows list every series with its columns, in stable pages", async () => {
  const all = await callRoute<PredictionRow[]>(predictionsRoute, call(baseId, {}));
  expect(all.data).toHaveLength(base.length);
  expect(all.data[1]).toEqual({
    row: 2,
    timestamp: new Date(times[0]!).toISOString(),
    store: "A",
    item: "2",
    prediction: 200,
    lower: 199,
    upper: 201,
  });
  const found: PredictionRow[] = [];
  let page = await callRoute<PredictionRow[]>(
    predictionsRoute,
    call(baseId, { where: "store:C", limit: "3" }),
  );
  for (;;) {
    found.push(...page.data);
    const next = nextAddress(page);
    if (next === null) break;
    page = await follow(predictionsRoute, next, call(baseId, {}));
  }
  expect(found).toEqual(all.data.filter(({ store }) => store === "C"));
  const rows = await callRoute<ScenarioRows>(
    rowsRoute,
    call(baseId, { where: "store:C", limit: "2", offset: "1" }),
  );
  expect(rows.data.rowCount).toBe(8);
  expect(rows.data.columns.map(({ name }) => name)).toEqual(["date", "store", "item", "region"]);
  expect(rows.data.rows).toEqual(
    [found[1], found[2]].map((row) => ({ ...row, input: [row!.timestamp, "C", row!.item, "north"] })),
  );
});

test("downloads hold the chosen rows, the totals and the groups", async () => {
  const csv = async (
    route: Parameters<typeof callRoute>[0],
    scenarioId: string | undefined,
    query: Query,
  ) => {
    const { text } = await callRoute(route, call(scenarioId, query, "text/csv"));
    const [header, ...rows] = text
      .trim()
      .split("\r\n")
      .map((line) => line.split(","));
    return { header, rows };
  };
  const rows = await csv(predictionsRoute, baseId, { where: "store:C" });
  expect(rows.header).toEqual(["date", "store", "item", "region", "prediction", "lower", "upper"]);
  expect(rows.rows.map((row) => Number(row[4]))).toEqual(
    base.flatMap(({ store, prediction }) => (store === "C" ? [prediction] : [])),
  );
  const ids = `${baseId},${lowerId}`;
  const total = await csv(compareRoute, undefined, { ids });
  expect(total.header).toEqual(["timestamp", "Base", "Lower", "Lower difference"]);
  expectClose(
    total.rows.map((row) => Number(row[1])),
    times.map((_, at) => sumAt(base, at)),
  );
  const groups = await csv(compareRoute, undefined, { ids, by: "store" });
  expect(groups.header).toEqual(["store", "timestamp", "Base", "Lower", "Lower difference"]);
  expect(groups.rows).toHaveLength(15);
  const charts = await csv(predictionsRoute, baseId, { by: ["region"], bucket: "month" });
  expect(charts.rows.map(([region]) => region)).toEqual(["south", "north"]);
});

test("names of unknown columns, values and series are rejected with the known ones", async () => {
  const errorOf = async (query: Query) => (await callRoute(predictionsRoute, call(baseId, query))).error;
  expect(await errorOf({ where: "shop:A" })).toMatchObject({
    code: "validation_failed",
    details: [
      {
        field: "where",
        code: "unknown_column",
        message: expect.stringContaining('"store", "item", "region"'),
      },
    ],
  });
  expect(await errorOf({ where: ["store:Q", "nonsense"], by: "stores" })).toMatchObject({
    details: [
      { field: "by", code: "unknown_column", nearest: "store" },
      { field: "where", code: "unknown_value", message: expect.stringContaining('"A", "B", "C"') },
      { field: "where", code: "unknown_column" },
    ],
  });
  expect(await errorOf({ series: "nonsense" })).toMatchObject({ code: "series_not_found" });
  const plain = await storeScenario(projectId, {
    timestamps: Float64Array.from(times),
    prediction: Float64Array.from(times, () => 1),
    lower: null,
    upper: null,
  });
  const { error } = await callRoute(predictionsRoute, call(plain, { series: idOf("A", "1"), by: "store" }));
  expect(error).toMatchObject({
    details: [
      { field: "series", code: "one_series" },
      { field: "by", code: "one_series" },
    ],
  });
});

test("a page holds as many groups as fit, and links to the rest", async () => {
  // A group has a sum at each of 5,100 times, so 980 of them fit.
  const many = Array.from({ length: 5_100 }, (_, at): PanelRow => {
    const store = `S${at % 1_020}`;
    return { store, item: "1", region: "south", time: times[0]! + at * day, prediction: 1 + (at % 1_020) };
  });
  const id = await storePanelScenario(projectId, many);
  const storesOf = ({ data }: { data: PredictionChart }) => data.groups!.map(({ values }) => values.store);
  const asked = call(id, { by: "store", maxPoints: "2", limit: "1000" });
  const first = await callRoute<PredictionChart>(predictionsRoute, asked);
  expect(first.status, first.text).toBe(200);
  const rest = await follow<PredictionChart>(predictionsRoute, nextAddress(first)!, asked);
  expect([storesOf(first).length, storesOf(rest).length, nextAddress(rest)]).toEqual([980, 40, null]);
  expect([...storesOf(first), ...storesOf(rest)]).toEqual(
    Array.from({ length: 1_020 }, (_, at) => `S${1_019 - at}`),
  );
});

test("a comparison of scenarios with many series takes little time", async () => {
  const many = Array.from({ length: 1_000 }, (_, series) =>
    Array.from({ length: 28 }, (_, at): PanelRow => {
      const store = `S${series}`;
      return {
        store,
        item: "1",
        region: `R${series % 7}`,
        time: times[0]! + at * day,
        prediction: series + at,
      };
    }),
  ).flat();
  const ids = [await storePanelScenario(projectId, many), await storePanelScenario(projectId, many)].join();
  await compare({ ids, by: "region" });
  const begin = performance.now();
  const { groups } = await compare({ ids, by: "region" });
  expect(groups).toHaveLength(7);
  expect(performance.now() - begin).toBeLessThan(2_000);
});
