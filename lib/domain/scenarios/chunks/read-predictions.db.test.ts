import { inArray, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scenarios } from "#db/schema/scenarios";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { newId } from "#lib/platform/ids/new-id";
import { createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { storeScenario } from "#testing/stored-scenario";
import { boundsAt } from "./bounds-at.ts";
import { readPredictions, type StoredSeries } from "./read-predictions.ts";
import { cachedBounds, cachedPoints } from "./series-cache.ts";

const { db } = await createTestDatabase();

async function scenarioWith(series: StoredSeries): Promise<string> {
  const { id: projectId } = await createProject();
  return storeScenario(projectId, series);
}

const length = 2 * CHUNK_VALUES + 17;
const series: StoredSeries = {
  timestamps: Float64Array.from({ length }, (_, row) => row * 3_600_000),
  prediction: Float64Array.from({ length }, (_, row) => (row % 7 === 0 ? Number.NaN : Math.sin(row) / 3)),
  lower: null,
  upper: Float64Array.from({ length }, (_, row) => -row - 0.1),
};

/** Compares bytes, because comparing many values one by one takes seconds. */
function haveSameBits(one: Float64Array, other: Float64Array): boolean {
  const [a, b] = [one, other].map((values) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength),
  );
  return a!.equals(b!);
}

describe("stored predictions", () => {
  it("are read back bit-identically, including missing values and absent series", async () => {
    expect(await readPredictions(db, await scenarioWith(series), { from: 0, to: length })).toEqual(series);
  });

  it("are read for any range, across chunk boundaries", async () => {
    const id = await scenarioWith(series);
    const part = fc.tuple(fc.nat(length), fc.nat(length)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
    await fc.assert(
      fc.asyncProperty(part, async ([from, to]) => {
        const read = await readPredictions(db, id, { from: from!, to: to! });
        expect(haveSameBits(read.prediction, series.prediction.slice(from, to))).toBe(true);
        expect(haveSameBits(read.timestamps!, series.timestamps!.slice(from, to))).toBe(true);
        expect(read.lower).toBeNull();
      }),
      { numRuns: 15, examples: [[[CHUNK_VALUES - 1, CHUNK_VALUES + 1]], [[0, 0]], [[length, length]]] },
    );
  });

  it("are read at any rows, in any order, with NaN for row -1", async () => {
    const id = await scenarioWith(series);
    const row = fc.integer({ min: -1, max: length - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (asked) => {
        const rows = Int32Array.from(asked);
        const at = (values: Float64Array) => Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
        const { timestamps, prediction, lower, upper } = await readPredictions(db, id, rows);
        const isAny = asked.some((row) => row !== -1);
        expect(prediction).toEqual(isAny ? at(series.prediction) : new Float64Array(0));
        expect([timestamps, lower, upper]).toEqual(
          isAny ? [at(series.timestamps!), null, at(series.upper!)] : [null, null, null],
        );
      }),
      { numRuns: 15, examples: [[[length - 1, 0, -1, CHUNK_VALUES, CHUNK_VALUES - 1, 0]], [[]], [[-1]]] },
    );
  });

  it("return bounds at any rows, few or many, in any order, with NaN for row -1", async () => {
    const id = await scenarioWith(series);
    const known = { runId: id, jobId: newId(), rowCount: length };
    const row = fc.integer({ min: -1, max: length - 1 });
    const rows = fc.oneof(
      fc.array(row, { maxLength: 60 }),
      fc.array(row, { minLength: 2_001, maxLength: 2_100 }),
    );
    await fc.assert(
      fc.asyncProperty(rows, async (asked) => {
        const upper = Float64Array.from(asked, (row) => series.upper![row] ?? Number.NaN);
        const isAny = asked.some((row) => row !== -1);
        expect(await boundsAt(db, known, Int32Array.from(asked))).toEqual({
          lower: null,
          upper: isAny ? upper : null,
        });
      }),
      { numRuns: 15, examples: [[[length - 1, 0, -1, CHUNK_VALUES, CHUNK_VALUES - 1, 0]]] },
    );
  });

  it("return bounds of a long scenario at as many rows as a response has", {
    // Stores two million rows with bounds, which took 30 s on a busy machine.
    timeout: 120_000,
  }, async () => {
    const length = 2_097_152 + 17;
    const upper = Float64Array.from({ length }, (_, row) => -row - 0.1);
    const id = await scenarioWith({ timestamps: null, prediction: upper, lower: upper, upper });
    const known = { runId: id, jobId: newId(), rowCount: length };
    const all = Int32Array.from({ length }, (_, row) => row);
    const asked = [
      all,
      all.slice(length - 20_001).reverse(),
      all.slice(0, 30_000).map((row) => (row % 3 === 0 ? -1 : row * 69)),
      all.slice(0, 2_001).map((row) => row * 1_000),
    ];
    for (const rows of asked) {
      const expected = Float64Array.from(rows, (row) => upper[row] ?? Number.NaN);
      const found = await boundsAt(db, known, rows);
      for (const bounds of [found.lower!, found.upper!]) expect(haveSameBits(bounds, expected)).toBe(true);
    }
  });

  it("of several scenarios share equal times, and no others", async () => {
    const later = { ...series, timestamps: series.timestamps!.map((time) => time + 1) };
    const untimed = { ...series, timestamps: null };
    const ids = await Promise.all([series, later, series, untimed].map(scenarioWith));
    const times = new Map();
    const read = await Promise.all(
      ids.map((id) => cachedPoints(db, { runId: id, jobId: newId(), rowCount: length }, times)),
    );
    expect(read.map(({ timestamps }) => timestamps)).toEqual([
      ...[series.timestamps, later.timestamps, series.timestamps, null],
    ]);
    expect(read[2]!.timestamps).toBe(read[0]!.timestamps);
  });

  it("return scenario_not_found if the scenario was deleted after it was found", async () => {
    const id = await scenarioWith(series);
    const without = await scenarioWith({ ...series, upper: null });
    const known = (id: string) => ({ runId: id, jobId: newId(), rowCount: length });
    const rows = Int32Array.of(1);
    expect({ ...(await cachedPoints(db, known(id))), ...(await cachedBounds(db, known(id))) }).toEqual(
      series,
    );
    expect(await boundsAt(db, known(without), rows)).toEqual({ lower: null, upper: null });
    await db.delete(scenarios).where(inArray(scenarios.id, [id, without]));
    for (const read of [cachedPoints, cachedBounds]) {
      await expect(read(db, known(id))).rejects.toMatchObject({ code: "scenario_not_found" });
    }
    await expect(boundsAt(db, known(id), rows)).rejects.toMatchObject({ code: "scenario_not_found" });
  });

  it("return scenario_not_found if some chunks were just deleted", async () => {
    for (const chunk of [0, 1, 2]) {
      const id = await scenarioWith(series);
      await db.transaction(async (tx) => {
        await tx.execute("set local session_replication_role = replica");
        await tx.execute(sql`delete from prediction_chunks where run_id = ${id} and chunk = ${chunk}`);
      });
      for (const rows of [{ from: 5, to: length }, Int32Array.of(length - 1, 5)])
        await expect(readPredictions(db, id, rows)).rejects.toMatchObject({ code: "scenario_not_found" });
    }
  });
});
