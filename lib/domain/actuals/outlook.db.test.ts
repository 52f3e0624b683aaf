import { expect, it } from "vitest";
import type { OutlookPeriod } from "#lib/contract/outlook";
import type { PredictionRow } from "#lib/contract/scenario-series";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { callRoute, testContext } from "#testing/api";
import { createDemandProject, demandCsv, demandLines } from "#testing/demand-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario } from "#testing/scenario-factory";
import { storeScenario } from "#testing/stored-scenario";
import { GET as outlookRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/outlook/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();

const project = await createDemandProject({ algorithm: "ridge", features: { lags: [1, 7] }, horizon: 14 });
const { projectId, as } = project;
const scenario = await createScenario(project, { endDate: "2023-08-18" });
const call = (query: Record<string, string>, scenarioId = scenario.id) => ({
  as,
  params: { projectId, scenarioId },
  query,
});
const outlook = async (query: Record<string, string> = {}) =>
  (await callRoute<OutlookPeriod[]>(outlookRoute, call(query))).data;
const rows = (await callRoute<PredictionRow[]>(predictionsRoute, call({}))).data;
/** Sum of the actual values of a month, of the first days. */
const actualOf = (month: string, count = demandLines.length) =>
  demandLines
    .slice(1, 1 + count)
    .filter((line) => line.startsWith(month))
    .reduce((sum, line) => sum + Number(line.split(",")[2]), 0);
const forecastOf = (month: string, since = "") =>
  rows
    .filter(({ timestamp }) => timestamp!.startsWith(month) && timestamp! >= since)
    .reduce((sum, { prediction }) => sum + prediction!, 0);

it("adds actual values to date and the forecast of the rest, with an interval of the rest", async () => {
  const [july, august, ...others] = await outlook();
  expect(others).toEqual([]);
  expect(july).toMatchObject({
    start: "2023-07-01T00:00:00.000Z",
    end: "2023-08-01T00:00:00.000Z",
    actualRows: 19,
    forecastRows: 12,
  });
  expect(july!.actual).toBeCloseTo(actualOf("2023-07", 200), 6);
  expect(july!.forecast).toBeCloseTo(forecastOf("2023-07"), 6);
  expect(july!.total).toBeCloseTo(july!.actual! + july!.forecast!, 9);
  expect(july!.lower).toBeLessThan(july!.total!);
  expect(july!.total! - july!.lower!).toBeCloseTo(july!.upper! - july!.total!, 6);
  expect(august).toMatchObject({ actual: null, actualRows: 0, forecastRows: 18 });
});

it("includes earlier periods from `from`, whose totals are certain", async () => {
  const months = await outlook({ from: "2023-05-10", to: "2023-07-20" });
  expect(months.map(({ start }) => start.slice(0, 7))).toEqual(["2023-05", "2023-06", "2023-07"]);
  const [may] = months;
  expect(may).toMatchObject({ actualRows: 31, forecast: null, forecastRows: 0 });
  expect([may!.lower, may!.upper]).toEqual([may!.total, may!.total]);
  const [year] = await outlook({ period: "year" });
  expect(year).toMatchObject({ start: "2023-01-01T00:00:00.000Z", actualRows: 200, forecastRows: 30 });
  expect((await outlook({ period: "quarter" })).map(({ actualRows }) => actualRows)).toEqual([19]);
});

it("counts a time once: as soon as its actual value arrives, its prediction no longer counts", async () => {
  const [before] = await outlook();
  await createOverride(testContext(), {
    projectId,
    scenarioId: scenario.id,
    from: "2023-07-30",
    to: "2023-07-31",
    operation: "set",
    value: 1_000,
    reason: "Festival",
  });
  const [overridden] = await outlook();
  expect(overridden!.forecast).toBeCloseTo(
    before!.forecast! - forecastOf("2023-07", "2023-07-30") + 2_000,
    6,
  );
  expect(overridden!.upper! - overridden!.total!).toBeLessThan(before!.upper! - before!.total!);
  await appendRows(testContext(), { projectId, fileData: base64(demandCsv(200, 205)) });
  const [july] = await outlook();
  expect(july).toMatchObject({ actualRows: 24, forecastRows: 7 });
  expect(july!.actual).toBeCloseTo(actualOf("2023-07", 205), 6);
});

it("is rejected for scenarios without times, an invalid range and too many periods", async () => {
  const series = { timestamps: null, prediction: Float64Array.of(1), lower: null, upper: null };
  const id = await storeScenario(projectId, series);
  expect((await callRoute(outlookRoute, call({}, id))).error?.details?.[0]?.code).toBe("no_timestamps");
  expect((await callRoute(outlookRoute, call({ from: "2024-01-01", to: "2023-01-01" }))).status).toBe(400);
  expect((await callRoute(outlookRoute, call({ period: "week" }))).status).toBe(400);
  const months = Float64Array.from({ length: 1_001 }, (_, at) => Date.UTC(1900, at, 1));
  const long = await storeScenario(
    projectId,
    { timestamps: months, prediction: months, lower: null, upper: null },
    "Long",
    { firstTimestamp: new Date(months[0]!), lastTimestamp: new Date(months.at(-1)!) },
  );
  const answer = await callRoute(outlookRoute, call({}, long));
  expect(answer.error?.details?.[0]?.code).toBe("too_many_periods");
  expect((await callRoute<OutlookPeriod[]>(outlookRoute, call({ period: "year" }, long))).data).toHaveLength(
    84,
  );
});
