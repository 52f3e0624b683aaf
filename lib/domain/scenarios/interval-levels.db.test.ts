import { describe, expect, test } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { Comparison, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import { parseCsv } from "#lib/engine/csv/parse";
import { sumBounds } from "#lib/engine/intervals/total-intervals";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { callRoute, testContext } from "#testing/api";
import { callIn, createDemandProject } from "#testing/demand-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";
import { findScenario } from "./find-scenario.ts";

await createTestDatabase();
const project = await createDemandProject();
const inProject = callIn(project);

const LEVELS = [0.5, 0.8, 0.9, 0.95];
const ROWS = 1_000;
const random = seededRandom(5);
const prices = Array.from({ length: ROWS }, () => Math.round(1_000 * (4 + 6 * random.next())) / 1_000);
const dates = prices.map((_, i) => new Date(Date.UTC(2023, 6, 20 + i)).toISOString().slice(0, 10));
const fileData = base64(`date,price\n${dates.map((date, i) => `${date},${prices[i]}`).join("\n")}\n`);
const scenario = await createScenario(project, { fileData });
const other = await createScenario(project, { fileData, title: "The same again" });
const levels = LEVELS.join();

test("bounds of 1,000 random rows are identical in every response, at every level", async () => {
  const { data } = await callRoute<Prediction>(
    predictRoute,
    inProject({ body: { input: { date: dates, price: prices }, include: ["intervals"], levels: LEVELS } }),
  );
  const expected = data.intervals!.levels!;
  expect(expected.map(({ level }) => level)).toEqual(LEVELS);
  const { lower: lower90, upper: upper90 } = data.intervals!;
  expect(expected[2]).toEqual({ level: 0.9, lower: lower90, upper: upper90 });

  const of = (query: Record<string, string>) => inProject({ scenarioId: scenario.id, query });
  const rows = await callRoute<PredictionRow[]>(predictionsRoute, of({ limit: `${ROWS}`, levels }));
  const chart = await callRoute<PredictionChart>(predictionsRoute, of({ maxPoints: "2000", levels }));
  const compared = await callRoute<Comparison>(
    compareRoute,
    inProject({ query: { ids: `${scenario.id},${other.id}`, maxPoints: "2000", levels } }),
  );
  const csv = await callRoute(predictionsRoute, { ...of({ levels }), headers: { accept: "text/csv" } });
  const { table } = parseCsv(csv.text);
  const comparison = await callRoute(compareRoute, {
    ...inProject({ query: { ids: `${scenario.id},${other.id}`, levels } }),
    headers: { accept: "text/csv" },
  });
  const aligned = parseCsv(comparison.text).table;
  const column = (of: typeof table, name: string) => {
    const found = of.columns.find((one) => one.name === name);
    if (found?.type !== "number") throw new Error(`No column ${name}`);
    return [...found.values];
  };
  expected.forEach(({ level, lower, upper }, index) => {
    const percent = Math.round(100 * level);
    expect(rows.data.map((row) => row.levels![index]!.lower)).toEqual(lower);
    expect(rows.data.map((row) => row.levels![index]!.upper)).toEqual(upper);
    expect(chart.data.levels![index]).toEqual({ level, lower, upper });
    for (const series of compared.data.series) expect(series.levels![index]).toEqual({ level, lower, upper });
    expect(column(table, `lower_${percent}`)).toEqual(lower);
    expect(column(table, `upper_${percent}`)).toEqual(upper);
    expect(column(aligned, `${scenario.title} lower ${percent}`)).toEqual(lower);
    expect(column(aligned, `${scenario.title} upper ${percent}`)).toEqual(upper);
  });
});

test("the interval of the sum contains the sum and is narrower than the sum of the intervals", async () => {
  const { sum, mean, sumInterval, meanInterval } = scenario.summary!;
  expect(sumInterval).toMatchObject({ level: 0.9 });
  expect(sumInterval!.lower!).toBeLessThan(sum!);
  // The demand is never negative. So far from the training data, the interval reaches this bound.
  expect(sumInterval!.lower!).toBeCloseTo(Math.max(0, 2 * sum! - sumInterval!.upper!), 6);
  expect(meanInterval!.upper! - mean!).toBeCloseTo((sumInterval!.upper! - sum!) / ROWS, 9);
  const rows = await callRoute<PredictionRow[]>(
    predictionsRoute,
    inProject({ scenarioId: scenario.id, query: { limit: `${ROWS}` } }),
  );
  const widths = rows.data.reduce((total, { prediction, upper }) => total + upper! - prediction!, 0);
  expect(sumInterval!.upper! - sum!).toBeLessThan(widths);
});

test("a prediction with levels but without intervals is rejected with the way to fix it", async () => {
  const body = { input: { date: dates.slice(0, 1), price: prices.slice(0, 1) }, levels: [0.5] };
  const answer = await callRoute(predictRoute, inProject({ body }));
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('Add \\"intervals\\" to `include`, or remove `levels`');
});

test.each(["0.7", "0.5,0.5", "", "high"])("rejects the levels %j", async (wrong) => {
  const answer = await callRoute(
    predictionsRoute,
    inProject({ scenarioId: scenario.id, query: { levels: wrong } }),
  );
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("Use levels among 0.5, 0.8, 0.9, 0.95");
});

describe("a comparison's summary of each scenario", () => {
  const compared = async (query: Record<string, string>) => {
    const ids = `${scenario.id},${other.id}`;
    const { data } = await callRoute<Comparison>(
      compareRoute,
      inProject({ query: { ids, levels, ...query } }),
    );
    return data.series[0]!;
  };

  test("is the stored one over all rows, with the requested levels", async () => {
    const { rowCount, summary } = await compared({ maxPoints: "10" });
    expect(rowCount).toBe(ROWS);
    expect(summary).toMatchObject(scenario.summary!);
    expect(summary!.sumLevels!.map(({ level }) => level)).toEqual(LEVELS);
    expect(summary!.sumLevels![2]).toEqual(scenario.summary!.sumInterval);
    expect(summary!.meanLevels![0]!.upper).toBeCloseTo(summary!.sumLevels![0]!.upper! / ROWS, 9);
  });

  test("covers the rows from `from` to `to`, and its interval follows from their bounds", async () => {
    const { rowCount, summary, values, upper } = await compared({ from: dates[100]!, to: dates[127]! });
    expect(rowCount).toBe(28);
    const sum = values.reduce<number>((total, value) => total + value!, 0);
    const squares = values.reduce<number>((total, value, at) => total + (upper[at]! - value!) ** 2, 0);
    const { scenario: row } = await findScenario(testContext().db, {
      projectId: project.projectId,
      scenarioId: scenario.id,
    });
    const expected = sumBounds({ sum, count: 28, squaredWidths: squares }, row.intervals)!;
    expect(summary!.sum).toBeCloseTo(sum, 6);
    expect(summary!.sumInterval!.upper).toBeCloseTo(expected.upper, 6);
    expect(summary!.meanInterval!.upper).toBeCloseTo(expected.upper / 28, 6);
    expect(summary!.max).toBe(Math.max(...values.map((value) => value!)));
  });
});
