import { expect, test } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { PredictionRow } from "#lib/contract/scenario-series";
import { callRoute } from "#testing/api";
import { panelDay, panelDays, panelStores } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";

await createTestDatabase();
const STEPS = 5;
const endDate = panelDay(panelDays + STEPS - 1);

const temperature = (region: string, at: number) =>
  (region === "south" ? 22 : 9) + 4 * Math.sin(at / 6) + ((at * 7919) % 11) / 11;
const days = Array.from({ length: panelDays }, (_, at) => at);
const regions = ["south", "north"];
const weather = await createTrainedProject({
  name: "Weather",
  csv: [
    "date,region,temp",
    ...regions.flatMap((region) =>
      days.map((at) => `${panelDay(at)},${region},${temperature(region, at).toFixed(3)}`),
    ),
  ].join("\n"),
  target: "temp",
  timestamp: "date",
  series: ["region"],
  request: {},
});
const sales = await createTrainedProject({
  name: "Sales",
  csv: [
    "date,store,item,region,sales",
    ...Object.entries(panelStores).flatMap(([store, region], s) =>
      ["1", "2"].flatMap((item, i) =>
        days.map((at) => {
          const value = 30 * (s + 1) + 9 * i + 2 * temperature(region, at) + ((at * 104_729) % 7) / 7;
          return `${panelDay(at)},${store},${item},${region},${value.toFixed(3)}`;
        }),
      ),
    ),
  ].join("\n"),
  target: "sales",
  timestamp: "date",
  series: ["store", "item"],
  dependencies: [{ projectId: weather.projectId, featureName: "warmth" }],
  request: {},
});

const rowsOf = async ({ projectId, as }: TrainedProject, scenarioId: string) =>
  (await callRoute<PredictionRow[]>(predictionsRoute, { as, params: { projectId, scenarioId } })).data;
const scenario = await createScenario(sales, {
  endDate,
  dependentProjectCheckpoints: { [weather.projectId]: null },
});
const { data: listed } = await callRoute<ScenarioRows>(rowsRoute, {
  as: sales.as,
  params: { projectId: sales.projectId, scenarioId: scenario.id },
  query: { limit: "200" },
});
const input = (row: ScenarioRows["rows"][number], name: string) =>
  row.input[listed.columns.findIndex((column) => column.name === name)];

test("the temperature of a region feeds each of its stores", async () => {
  const own = await createScenario(weather, {
    endDate,
    checkpointId: scenario.dependentProjectCheckpoints[weather.projectId],
  });
  const predicted = new Map(
    (await rowsOf(weather, own.id)).map(({ timestamp, region, prediction }) => [
      `${timestamp} ${region}`,
      prediction,
    ]),
  );
  expect(listed.rows).toHaveLength(6 * STEPS);
  for (const row of listed.rows)
    expect(input(row, "warmth")).toBe(predicted.get(`${row.timestamp} ${input(row, "region")}`));
  expect(new Set(listed.rows.map((row) => input(row, "warmth"))).size).toBe(regions.length * STEPS);
});

test("predict computes the temperature of each row's region, with the bits of the scenario", async () => {
  const names = ["date", "store", "item", "region"];
  const body = {
    checkpointId: scenario.checkpointId,
    input: Object.fromEntries(
      names.map((name) => [
        name,
        listed.rows.map((row) => (name === "date" ? row.timestamp : input(row, name))),
      ]),
    ),
  };
  const params = { projectId: sales.projectId };
  const { data, text } = await callRoute<Prediction>(predictRoute, { as: sales.as, params, body });
  expect(data?.predictions, text).toEqual(listed.rows.map(({ prediction }) => prediction));
});

test("a warmer north changes only the stores of the north", async () => {
  const warm = await createScenario(sales, {
    baseScenarioId: scenario.id,
    checkpointId: scenario.checkpointId,
    dependentProjectCheckpoints: scenario.dependentProjectCheckpoints,
    adjustments: [
      {
        feature: "warmth",
        operation: "add",
        value: 10,
        where: [{ feature: "region", operator: "=", value: "north" }],
      },
    ],
  });
  const before = await rowsOf(sales, scenario.id);
  for (const [at, { store, prediction }] of (await rowsOf(sales, warm.id)).entries()) {
    if (store === "C") expect(prediction).toBeGreaterThan(before[at]!.prediction!);
    else expect(prediction).toBe(before[at]!.prediction);
  }
});
