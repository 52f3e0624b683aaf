import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jobs } from "#db/schema/jobs";
import { scenarios } from "#db/schema/scenarios";
import { newId } from "#lib/ids/new-id";
import { CHUNK_VALUES } from "#lib/series/chunks";
import { createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { storePredictions } from "./prediction-chunks.ts";
import { readPredictions, type StoredSeries } from "./read-predictions.ts";
import { cachedPredictions } from "./series-cache.ts";

const { db } = await createTestDatabase();

async function scenarioWith(series: StoredSeries): Promise<string> {
  const { id: projectId } = await createProject();
  const [id, jobId] = [newId(), newId()];
  const createdBy = "user-of-tests";
  await db.transaction(async (tx) => {
    await tx.insert(jobs).values({
      id: jobId,
      projectId,
      type: "CreateScenario",
      status: "Pending",
      payload: {},
      createdBy,
    });
    await tx
      .insert(scenarios)
      .values({ id, projectId, title: "Series", color: "#123456", jobId, source: "Upload", createdBy });
    await storePredictions(tx, id, series);
  });
  return id;
}

const length = 2 * CHUNK_VALUES + 17;
const series: StoredSeries = {
  timestamps: Float64Array.from({ length }, (_, row) => row * 3_600_000),
  prediction: Float64Array.from({ length }, (_, row) => (row % 7 === 0 ? Number.NaN : Math.sin(row) / 3)),
  lower: null,
  upper: Float64Array.from({ length }, (_, row) => -row - 0.1),
};

describe("stored predictions", () => {
  it("are read back to the bit, missing values and absent series among them", async () => {
    expect(await readPredictions(db, await scenarioWith(series))).toEqual(series);
  });

  it("are read in any part, over the ends of chunks", async () => {
    const id = await scenarioWith(series);
    const part = fc.tuple(fc.nat(length), fc.nat(length)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
    await fc.assert(
      fc.asyncProperty(part, async ([from, to]) => {
        const read = await readPredictions(db, id, { from: from!, to: to! });
        expect(read.prediction).toEqual(series.prediction.slice(from, to));
        expect(read.timestamps).toEqual(series.timestamps!.slice(from, to));
        expect(read.lower).toBeNull();
      }),
      { numRuns: 15, examples: [[[CHUNK_VALUES - 1, CHUNK_VALUES + 1]], [[0, 0]], [[length, length]]] },
    );
  });

  it("are not there any more where their scenario was deleted since it was found", async () => {
    const id = await scenarioWith(series);
    const found = { id, jobId: newId(), rowCount: length };
    expect((await cachedPredictions(db, { ...found, jobId: newId() })).prediction).toHaveLength(length);
    await db.delete(scenarios).where(eq(scenarios.id, id));
    await expect(cachedPredictions(db, found)).rejects.toMatchObject({ code: "scenario_not_found" });
  });

  it("replace what an earlier attempt left, also where that was longer", async () => {
    const id = await scenarioWith(series);
    const shorter: StoredSeries = {
      timestamps: null,
      prediction: Float64Array.of(1, 2),
      lower: null,
      upper: null,
    };
    await db.transaction((tx) => storePredictions(tx, id, shorter));
    expect(await readPredictions(db, id)).toEqual(shorter);
  });
});
