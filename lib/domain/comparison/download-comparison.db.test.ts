import { describe, expect, it } from "vitest";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { writeCsv } from "#lib/engine/csv/write-csv";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { createProject, testContext } from "#testing/api";
import { csvOfWholeSeries, type TitledSeries } from "#testing/compared-csv";
import { createTestDatabase } from "#testing/postgres";
import { storeScenario } from "#testing/stored-scenario";
import { downloadComparison } from "./download-comparison.ts";

await createTestDatabase();
const ctx = testContext();
const { id: projectId } = await createProject();

const HOUR_MS = 3_600_000;
/** More rows than a chunk has. */
const length = CHUNK_VALUES + 1_000;

function series(title: string, length: number, timeOf: ((row: number) => number) | null): TitledSeries {
  const prediction = Float64Array.from({ length }, (_, row) => Math.round(Math.sin(row) * 1e4) / 8);
  return {
    title,
    prediction,
    lower: null,
    upper: prediction.map((value) => value + title.length),
    timestamps: timeOf && Float64Array.from({ length }, (_, row) => timeOf(row)),
  };
}

const plain = series("Plain", length, (row) => row * HOUR_MS);
const same = series("The same times", length, (row) => row * HOUR_MS);
/** Half an hour later than `plain`; every third time is repeated. */
const later = series("Later", length, (row) => (row - (row % 3 === 2 ? 1 : 0) + 0.5) * HOUR_MS);
/** Unordered, and some rows without a time, as imported models accept them. */
const mixed = series("Mixed", length, (row) =>
  row % 1_000 === 7 ? Number.NaN : ((row * 7_919) % length) * HOUR_MS,
);
const short = series("Short", 500, (row) => (row + CHUNK_VALUES) * HOUR_MS);
const rows = series("Rows", CHUNK_VALUES + 17, null);

async function stored(all: readonly TitledSeries[]): Promise<string[]> {
  return Promise.all(all.map((one) => storeScenario(projectId, one, one.title)));
}

const download = async (ids: readonly string[], window = {}) =>
  writeCsv((await downloadComparison(ctx, { projectId, ids, ...window })).parts);

describe("the download of a comparison", () => {
  it.each([
    [[plain, same]],
    [[plain, later, same]],
    [[later, mixed, plain]],
    [[mixed, short]],
    [[short, plain, rows]],
    [[plain, later, same, short, mixed]],
  ])("writes stored series as complete series in memory: %#", async (all) => {
    const ids = await stored(all);
    const isTimed = all.every(({ timestamps }) => timestamps !== null);
    const text = (await Array.fromAsync(await download(ids))).join("");
    expect(text === csvOfWholeSeries(all)).toBe(true);
    const [from, to] = isTimed ? [1_000 * HOUR_MS, (length - 100) * HOUR_MS] : [1_000, length - 100];
    const written = isTimed
      ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      : { from: String(from), to: String(to) };
    const part = (await Array.fromAsync(await download(ids, written))).join("");
    expect(part === csvOfWholeSeries(all, { from, to })).toBe(true);
  });

  it("ends with an error if a scenario is deleted during the download", async () => {
    const ids = await stored([plain, later]);
    const pieces = await download(ids);
    expect((await pieces.next()).value).toMatch(/^timestamp,Plain,Plain upper,Later/);
    expect((await pieces.next()).value).toMatch(/^1970-01-01T00:00:00.000Z,0,5,,,/);
    await deleteScenario(ctx, { projectId, scenarioId: ids[1]! });
    await expect(Array.fromAsync(pieces)).rejects.toMatchObject({ code: "scenario_not_found" });
    await expect(download(ids)).rejects.toMatchObject({ code: "scenario_not_found" });
  });

  it("rejects an invalid from or to before any output", async () => {
    const ids = await stored([short, rows]);
    await expect(download(ids, { from: "yesterday" })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(download(ids, { from: "9", to: "3" })).rejects.toMatchObject({ code: "validation_failed" });
  });
});
