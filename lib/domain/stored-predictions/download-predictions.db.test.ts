import { readdirSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { findScenario } from "#lib/domain/scenarios/find-scenario";
import { parseCsv } from "#lib/engine/csv/parse";
import { writeCsv } from "#lib/engine/csv/write-csv";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { BLOCK_ROWS } from "#lib/engine/table/blocks";
import { store } from "#lib/platform/storage/store";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { downloadPredictions } from "./download-predictions.ts";
import { listPredictions } from "./list-predictions.ts";

await createTestDatabase();
const ctx = testContext();

const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${["north", "south"][i % 2]},${10 + (i % 7)}`);
const project = await createTrainedProject({ csv: `x,site,y\n${rows.join("\n")}\n`, target: "y" });

/** More rows than a chunk of predictions has. The input's blocks end at other rows. */
const rowCount = CHUNK_VALUES + 1_000;

async function scenarioOf(rowCount: number) {
  const rows = Array.from({ length: rowCount }, (_, i) => `${i / 8},${["north", "south"][i % 2]}`);
  const { id } = await createScenario(project, { fileData: base64(`x,site\n${rows.join("\n")}\n`) });
  return { projectId: project.projectId, scenarioId: id };
}

const openInputs = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith("/input.bin");
    } catch {
      return false; // The descriptor of the listing itself.
    }
  });

test("a download of many rows contains every row with its prediction", async () => {
  const ids = await scenarioOf(rowCount);
  const pieces = writeCsv((await downloadPredictions(ctx, ids)).parts);
  const { table, issueCount } = parseCsv((await Array.fromAsync(pieces)).join(""));
  expect([issueCount, table.rowCount]).toEqual([0, rowCount]);
  const [x, , prediction] = table.columns as { values: Float64Array }[];
  expect(x!.values).toEqual(Float64Array.from({ length: rowCount }, (_, i) => i / 8));
  for (const after of [0, BLOCK_ROWS - 1, CHUNK_VALUES - 2, rowCount - 3]) {
    const page = await listPredictions(ctx, { ...ids, limit: 3, after });
    const expected = page.rows.map((row) => row.prediction);
    expect([...prediction!.values.slice(after, after + 3)]).toEqual(expected);
  }
});

test("a download ends with an error if the scenario is deleted, and holds no file open before", async () => {
  const ids = await scenarioOf(rowCount);
  const pieces = writeCsv((await downloadPredictions(ctx, ids)).parts);
  expect((await pieces.next()).value).toMatch(/^x,site,prediction/);
  await pieces.next();
  if (process.platform === "linux") expect(openInputs()).toEqual([]);
  await deleteScenario(ctx, ids);
  await expect(Array.fromAsync(pieces)).rejects.toMatchObject({ code: "scenario_not_found" });
  await expect(downloadPredictions(ctx, ids)).rejects.toMatchObject({ code: "scenario_not_found" });
});

test("missing files are detected before anything is sent", async () => {
  const ids = await scenarioOf(3);
  const { scenario } = await findScenario(ctx.db, ids);
  await store().deleteFolder(scenario.inputKey!);
  const answer = await callRoute(predictionsRoute, {
    params: ids,
    as: project.as,
    headers: { accept: "text/csv" },
  });
  expect([answer.status, answer.error?.code]).toEqual([500, "internal_error"]);
});

test("a download contains only the rows from `from` to `to`", async () => {
  const days = Array.from(
    { length: 60 },
    (_, i) => `2024-${i < 31 ? "01" : "02"}-${`${i < 31 ? i + 1 : i - 30}`.padStart(2, "0")}`,
  );
  const timed = await createTrainedProject({
    csv: `day,x,y\n${days.map((day, i) => `${day},${i % 7},${10 + (i % 7)}`).join("\n")}\n`,
    target: "y",
    timestamp: "day",
  });
  const march = [1, 2, 3, 4].map((day) => `2024-03-0${day},${day}`);
  const { id } = await createScenario(timed, { fileData: base64(`day,x\n${march.join("\n")}\n`) });
  const byTime = { projectId: timed.projectId, scenarioId: id };
  const byRow = await scenarioOf(5);
  const firstCells = async (ids: typeof byRow, as: typeof project.as, query: Record<string, string>) => {
    const request = { params: ids, as, query, headers: { accept: "text/csv" } };
    const { text } = await callRoute(predictionsRoute, request);
    return text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(",")[0]);
  };
  expect(await firstCells(byTime, timed.as, { from: "2024-03-02", to: "2024-03-03T00:00:00Z" })).toEqual([
    "day",
    "2024-03-02T00:00:00.000Z",
    "2024-03-03T00:00:00.000Z",
  ]);
  expect(await firstCells(byTime, timed.as, { from: "2025-01-01" })).toEqual(["day"]);
  expect(await firstCells(byRow, project.as, { from: "4" })).toEqual(["x", "0.375", "0.5"]);
});
