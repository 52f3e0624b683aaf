import { expect, test } from "vitest";
import type { Comparison, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import { findScenario } from "#lib/domain/scenarios/find-scenario";
import { parseCsv } from "#lib/engine/csv/parse";
import { sumBounds } from "#lib/engine/intervals/total-intervals";
import { callRoute, testContext } from "#testing/api";
import { callIn, createDemandProject } from "#testing/demand-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario } from "#testing/scenario-factory";
import { storeScenario } from "#testing/stored-scenario";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();
const project = await createDemandProject();
const inProject = callIn(project);
const ROWS = 700;
const dates = Array.from({ length: ROWS }, (_, i) =>
  new Date(Date.UTC(2023, 6, 20 + i)).toISOString().slice(0, 10),
);
const fileOf = (price: (i: number) => number) =>
  base64(`date,price\n${dates.map((date, i) => `${date},${price(i)}`).join("\n")}\n`);
const scenario = await createScenario(project, { fileData: fileOf((i) => 4 + (i % 7)) });
const other = await createScenario(project, { fileData: fileOf((i) => 5 + (i % 7)), title: "Dearer" });
const ids = `${scenario.id},${other.id}`;

const predictions = (query: Record<string, string>, accept = "application/json") => ({
  ...inProject({ scenarioId: scenario.id, query }),
  headers: { accept },
});
const chart = async (query: Record<string, string>) =>
  (await callRoute<PredictionChart>(predictionsRoute, predictions(query))).data;
const compared = async (query: Record<string, string>) =>
  (await callRoute<Comparison>(compareRoute, inProject({ query: { ids, ...query } }))).data;
const { data: rows } = await callRoute<PredictionRow[]>(predictionsRoute, predictions({ limit: `${ROWS}` }));

test("months have the sums of their rows, and the intervals of those totals", async () => {
  const found = await chart({ bucket: "month", aggregate: "sum", levels: "0.5,0.9" });
  const { scenario: row } = await findScenario(testContext().db, { ...project, scenarioId: scenario.id });
  const months = [...Map.groupBy(rows, ({ timestamp }) => timestamp!.slice(0, 7)).entries()];
  expect(found.buckets).toEqual({
    unit: "month",
    aggregate: "sum",
    timezone: "UTC",
    from: rows[0]!.timestamp,
    to: rows.at(-1)!.timestamp,
    complete: months.map((_, at) => at > 0 && at < months.length - 1),
  });
  expect(found.timestamps).toEqual(months.map(([month]) => `${month}-01T00:00:00.000Z`));
  expect(found.rowCounts).toEqual(months.map(([, { length }]) => length));
  months.forEach(([, of], at) => {
    const sum = of.reduce((total, { prediction }) => total + prediction!, 0);
    const squares = of.reduce((total, { prediction, upper }) => total + (upper! - prediction!) ** 2, 0);
    const bounds = sumBounds({ sum, count: of.length, squaredWidths: squares }, row.intervals)!;
    expect(found.values[at]).toBeCloseTo(sum, 6);
    expect(found.upper[at]).toBeCloseTo(bounds.upper, 6);
    expect(found.levels![1]!.upper[at]).toBe(found.upper[at]);
    expect(found.levels![0]!.upper[at]).toBeLessThan(found.upper[at]!);
  });
});

test("a comparison in weeks keeps the totals and summaries of its rows", async () => {
  const plain = await compared({ maxPoints: "10" });
  const weeks = await compared({ maxPoints: "1000", bucket: "week", aggregate: "mean" });
  weeks.series.forEach(({ summary, totalDifference, percentDifference, ...one }, at) => {
    expect({ summary, totalDifference, percentDifference }).toEqual({
      summary: plain.series[at]!.summary,
      totalDifference: plain.series[at]!.totalDifference,
      percentDifference: plain.series[at]!.percentDifference,
    });
    expect(one.rowCounts!.reduce((sum, count) => sum + count, 0)).toBe(ROWS);
  });
  expect(weeks.series[1]!.cumulative.at(-1)).toBeCloseTo(plain.series[1]!.totalDifference!, 6);
});

test("`last` has the value and the interval of the last row", async () => {
  const found = await chart({ bucket: "year", aggregate: "last" });
  const lasts = ["2023-12-31", "2024-12-31", dates.at(-1)!].map(
    (date) => rows.find(({ timestamp }) => timestamp!.startsWith(date))!,
  );
  expect(found.values).toEqual(lasts.map(({ prediction }) => prediction));
  expect(found.lower).toEqual(lasts.map(({ lower }) => lower));
});

test("`auto` takes a unit that half of the points can show, and keeps rows that fit", async () => {
  expect((await chart({ bucket: "auto", maxPoints: "1000" })).buckets).toMatchObject({
    unit: "week",
    aggregate: "mean",
  });
  expect((await chart({ bucket: "auto", maxPoints: "2000" })).buckets).toBeUndefined();
  const zoomed = await chart({ bucket: "auto", maxPoints: "1000", from: dates[10]!, to: dates[99]! });
  expect(zoomed.buckets).toBeUndefined();
  expect(zoomed.timestamps).toHaveLength(90);
});

test("rows without times are rejected by a unit, and kept by `auto`", async () => {
  const prediction = Float64Array.from({ length: 900 }, (_, row) => row);
  const untimed = await storeScenario(project.projectId, {
    timestamps: null,
    prediction,
    lower: null,
    upper: null,
  });
  const of = (bucket: string) =>
    callRoute<PredictionChart>(predictionsRoute, inProject({ scenarioId: untimed, query: { bucket } }));
  const rejected = await of("day");
  expect(rejected.status).toBe(400);
  expect(rejected.text).toContain("`bucket` needs timestamps");
  expect((await of("auto")).data.values).toHaveLength(900);
});

test("downloads have one line per bucket, with the numbers of the chart", async () => {
  const query = { bucket: "quarter", aggregate: "sum", levels: "0.5" };
  const found = await chart(query);
  const csv = await callRoute(predictionsRoute, predictions(query, "text/csv"));
  const { table } = parseCsv(csv.text);
  const lines = csv.text.trim().split(/\r?\n/);
  expect(lines[0]).toBe("quarter,timestamp,complete,rows,prediction,lower,upper,lower_50,upper_50");
  expect(lines[1]).toMatch(/^2023-Q3,2023-07-01T00:00:00/);
  const column = (name: string, of = table) => {
    const one = of.columns.find((column) => column.name === name);
    return one?.type === "number" ? [...one.values] : null;
  };
  expect(column("prediction")).toEqual(found.values);
  expect(column("lower_50")).toEqual(found.levels![0]!.lower);
  const comparison = await compared(query);
  const both = await callRoute(compareRoute, {
    ...inProject({ query: { ids, ...query } }),
    headers: { accept: "text/csv" },
  });
  const aligned = parseCsv(both.text).table;
  expect(column("Dearer difference", aligned)).toEqual(comparison.series[1]!.differences);
  expect(column("Dearer upper 50", aligned)).toEqual(comparison.series[1]!.levels![0]!.upper);
});
