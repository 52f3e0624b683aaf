import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type BoostingParams, boostingDefaults } from "./boosting-params.ts";
import { trainGradientBoosting } from "./gradient-boosting.ts";
import { seededRandom } from "./seeded-random.ts";
import { trainingMemory } from "./shared-memory.ts";
import { TrainingCancelled } from "./training-errors.ts";
import { startTrainingPool, threadsFor } from "./training-pool.ts";

/** Large enough that the threads share the first steps of each tree, but not the last ones. */
function countData() {
  const random = seededRandom(4);
  const columns = Array.from({ length: 9 }, () =>
    Float32Array.from({ length: 7_000 }, () => (random.next() < 0.05 ? Number.NaN : random.next())),
  );
  const target = Float64Array.from(columns[0]!, (x) => Math.floor(9 * (x || 0.5) * random.next()) / 3);
  return { columns, target };
}

const { columns, target } = countData();

describe("trains bit-identical trees with any number of threads", () => {
  test.each<Partial<BoostingParams>>([
    {},
    { subsample: 0.7, colsample: 0.7, l1: 3, l2: 1 },
    { monotone: [1, -1, 0, 0, 0, 0, 0, 0, 1] },
    { loss: "absolute", subsample: 0.8 },
    { loss: "quantile", quantile: 0.9 },
    { loss: "poisson", l2: 2 },
  ])("with %o", (params) => {
    const train = (threads: number) =>
      trainGradientBoosting(columns, target, { rounds: 5, ...params }, { threads }).ensemble;
    const alone = train(1);
    expect(alone.trees).toHaveLength(5);
    expect(train(2)).toEqual(alone);
    expect(train(3)).toEqual(alone);
  });
});

test("cancels training on several threads", () => {
  let rounds = 0;
  const train = () =>
    trainGradientBoosting(
      columns,
      target,
      { rounds: 1_000 },
      { threads: 2, onProgress: () => rounds++, shouldStop: () => rounds === 3 },
    );
  expect(train).toThrow(TrainingCancelled);
  expect(rounds).toBe(3);
});

test("threads end after their work, and without any work", async () => {
  const memory = trainingMemory(target, columns.length, boostingDefaults, 3);
  await startTrainingPool(memory).end();
  const trainingPool = startTrainingPool(memory);
  for (const { column } of memory.shards) column.set(columns[1]!);
  trainingPool.perform({ name: "bin", feature: 0 }, Number.POSITIVE_INFINITY);
  expect([...memory.cutCounts.slice(0, 4)]).toEqual([255, 255, 255, 0]);
  await trainingPool.end();
});

test("a thread that dies during a step fails that step at once, and every later one", async () => {
  const memory = trainingMemory(target, columns.length, boostingDefaults, 3);
  const trainingPool = startTrainingPool(memory, pathToFileURL("testing/dying-helper.ts").href);
  const step = () => trainingPool.perform({ name: "residuals" }, Number.POSITIVE_INFINITY);
  expect(step).toThrow("A training thread ended unexpectedly.");
  expect(step).toThrow("A training thread ended unexpectedly.");
  await trainingPool.end();
});

test("trains on small data with one thread", () => {
  expect(threadsFor(1_000, 20, 300)).toBe(1);
});
