import { expect, test } from "vitest";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { PredictionRow } from "#lib/contract/scenario-series";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";

await createTestDatabase();

const day = (offset: number) => new Date(Date.UTC(2023, 0, 1 + offset)).toISOString();
const line = (offset: number, price: string) =>
  `${day(offset)},${["rain", "sun"][offset % 2]},${offset % 3 === 0},${price}`;

test("rows of a scenario contain input and predictions, page by page, also if a worker thread reads them", async () => {
  const header = "at,weather,open,price";
  const history = Array.from(
    { length: 60 },
    (_, i) => `${line(i, i === 7 ? "" : String(i % 5))},${10 + (i % 5)}`,
  );
  const project = await createTrainedProject({
    csv: `${header},demand\n${history.join("\n")}\n`,
    target: "demand",
    timestamp: "at",
    request: { algorithm: "ridge", features: { lags: [] } },
  });
  const rowCount = 4_000;
  const lines = Array.from({ length: rowCount }, (_, i) => line(60 + i, i === 1 ? "" : String(i)));
  const small = await createScenario(project, {
    fileData: base64(`${header}\n${lines.slice(0, 3).join("\n")}\n`),
  });
  const large = await createScenario(project, { fileData: base64(`${header}\n${lines.join("\n")}\n`) });
  const of = (scenarioId: string, query = {}) => ({
    params: { projectId: project.projectId, scenarioId },
    as: project.as,
    query,
  });
  const rows = async (scenarioId: string, query = {}) =>
    (await callRoute<ScenarioRows>(rowsRoute, of(scenarioId, query))).data;

  const first = await rows(small.id);
  expect(first.rowCount).toBe(3);
  expect(first.columns).toEqual([
    { name: "at", type: "timestamp", computed: false },
    { name: "weather", type: "category", computed: false },
    { name: "open", type: "boolean", computed: false },
    { name: "price", type: "number", computed: false },
  ]);
  expect(first.rows.map(({ input }) => input)).toEqual([
    [day(60), "rain", true, 0],
    [day(61), "sun", false, null],
    [day(62), "rain", false, 2],
  ]);
  const { data: predictions } = await callRoute<PredictionRow[]>(predictionsRoute, of(small.id));
  expect(first.rows.map(({ input: _input, ...row }) => row)).toEqual(predictions);

  const page = await rows(large.id, { offset: "3990", limit: "4" });
  expect(page.rows.map(({ row, input }) => [row, input[3]])).toEqual(
    [3991, 3992, 3993, 3994].map((row) => [row, row - 1]),
  );
  const last = await rows(large.id, { offset: "3998" });
  expect(last.rows.map(({ row }) => row)).toEqual([3999, 4000]);
  expect(await rows(large.id, { offset: "999999" })).toMatchObject({ rowCount, rows: [] });
});
