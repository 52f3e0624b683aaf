import { expect, test } from "vitest";
import type { LiveModelResponse } from "#lib/contract/live-model";
import type { Model } from "#lib/contract/models";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
import type { TrainModel } from "#lib/contract/train-model";
import { parseCsv } from "#lib/engine/csv/parse";
import { type LiveModel, openLiveModel } from "#lib/engine/what-if/live-model";
import { unpack } from "#lib/engine/what-if/pack";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { GET as modelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { GET as liveRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/live-model/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as previewRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";

await createTestDatabase();

const HOUR_MS = 3_600_000;
const START = Date.UTC(2022, 11, 31, 23);
/** Every sixth hour for more than two years, so that quarters and hours occur in several cycles, up to 28 March 2025. */
const STEP_HOURS = 6;
const ROWS = 4 * 818;
const wall = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Europe/Berlin",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

/** Columns at a time: parts of the date in Berlin, and targets that depend on them. */
function rowOf(at: number) {
  const instant = new Date(START + at * STEP_HOURS * HOUR_MS);
  const [day, clock] = wall.format(instant).split(" ") as [string, string];
  const [year, month] = day.split("-").map(Number) as [number, number];
  const [hour, quarter] = [Number(clock.slice(0, 2)), Math.ceil(month / 3)];
  const isWeekend = [0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay());
  const load = 100 + 3 * hour + 20 * quarter + (isWeekend ? -30 : 0);
  return {
    time: instant.toISOString(),
    hour,
    quarter,
    weekend: isWeekend ? "yes" : "no",
    year,
    load,
    sales: 2 * load + 5 * (year - 2020),
  };
}

type Row = ReturnType<typeof rowOf>;
const rows = (first: number, count: number) => Array.from({ length: count }, (_, at) => rowOf(first + at));
const csvOf = (names: readonly (keyof Row)[]) =>
  `${names.join()}\n${rows(0, ROWS)
    .map((row) => names.map((name) => row[name]).join())
    .join("\n")}\n`;
const settings = { timestamp: "time", timezone: "Europe/Berlin" };
const request: TrainModel = { algorithm: "ridge", features: { lags: [], calendar: false } };

const upstream = await createTrainedProject({
  name: "Load",
  csv: csvOf(["time", "hour", "quarter", "weekend", "load"]),
  target: "load",
  ...settings,
  request,
});
const shop = await createTrainedProject({
  name: "Sales",
  csv: csvOf(["time", "year", "sales"]),
  target: "sales",
  ...settings,
  request,
  dependencies: [{ projectId: upstream.projectId, featureName: "load" }],
});
const later = rows(ROWS, 40);
const endDate = later.at(-1)!.time;
const own = await createScenario(upstream, { endDate });
const downstream = await createScenario(shop, {
  endDate,
  dependentProjectCheckpoints: { [upstream.projectId]: null },
});

const pathOf = ({ projectId, as }: TrainedProject, { id }: Scenario) => ({
  params: { projectId, scenarioId: id },
  as,
});

/** Returns a column of a scenario's predictions. */
async function columnOf(project: TrainedProject, scenario: Scenario, name: string) {
  const { text } = await callRoute(predictionsRoute, {
    ...pathOf(project, scenario),
    headers: { accept: "text/csv" },
  });
  const column = parseCsv(text).table.columns.find((one) => one.name === name)!;
  return column.type === "category"
    ? Array.from(column.codes, (code) => column.categories[code])
    : Array.from(column.values);
}

test("generated hours, quarters and weekends are those of the local date, across the change of the clocks", async () => {
  for (const name of ["hour", "quarter", "weekend"] as const) {
    expect(await columnOf(upstream, own, name)).toEqual(later.map((row) => row[name]));
  }
  const model = await callRoute<Model>(modelRoute, { params: { projectId: shop.projectId }, as: shop.as });
  expect(model.data.inputFeatures.find(({ name }) => name === "year")!.dateRule).toMatchObject({
    part: "year",
    timezone: "Europe/Berlin",
  });
  expect(await columnOf(shop, downstream, "year")).toEqual(later.map(({ year }) => year));
});

test("an upstream model predicts a scenario of a downstream project from the dates of that scenario", async () => {
  const predicted = await columnOf(upstream, own, "prediction");
  // A flat or seasonal forecast of the hour or the weekend would miss by ten and more.
  predicted.forEach((value, at) => {
    expect(Math.abs(Number(value) - later[at]!.load)).toBeLessThan(5);
  });
  expect(await columnOf(shop, downstream, "load")).toEqual(predicted);
});

test.each([
  ["its own", upstream, own, [{ feature: "hour", operation: "set", value: 5 }]],
  ["a downstream", shop, downstream, [{ feature: "load", operation: "add", value: 7 }]],
] as [string, TrainedProject, Scenario, Adjustment[]][])(
  "the model in the browser predicts %s scenario with dated inputs as the service does",
  async (_, project, scenario, adjustments) => {
    const { data } = await callRoute<LiveModelResponse>(liveRoute, pathOf(project, scenario));
    const live = await unpack<LiveModel>(Uint8Array.from(Buffer.from(data.model!, "base64")).buffer);
    const predict = (await openLiveModel(live))!;
    for (const changes of [[], adjustments]) {
      const { preview } = (await predict(changes, { levels: [0.8] }))!;
      const served = await callRoute<ScenarioPreview>(previewRoute, {
        ...pathOf(project, scenario),
        body: { adjustments: changes, levels: [0.8] },
      });
      expect(preview.values).toEqual(served.data.preview.values);
    }
  },
);
