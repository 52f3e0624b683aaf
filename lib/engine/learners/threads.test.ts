import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { type BoostingParams, checkedParams } from "./boosting-params.ts";
import { trainGradientBoosting } from "./gradient-boosting.ts";
import { seededRandom } from "./seeded-random.ts";
import { trainingMemory } from "./shared-memory.ts";
import { startCrew, threadsFor } from "./training-pool.ts";

/** Large enough that the first steps of each tree are shared among the threads, and the last ones are not. */
function countData() {
  const random = seededRandom(4);
  const columns = Array.from({ length: 9 }, () =>
    Float32Array.from({ length: 7_000 }, () => (random.next() < 0.05 ? Number.NaN : random.next())),
  );
  const target = Float64Array.from(columns[0]!, (x) => Math.floor(9 * (x || 0.5) * random.next()) / 3);
  return { columns, target };
}

const { columns, target } = countData();

describe("any number of threads trains the same trees, to the last bit", () => {
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

test("threads that work together can be told to stop", () => {
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

test("threads end when their work does, and when they never had any", async () => {
  const memory = trainingMemory(target, columns.length, checkedParams({}, columns.length), 3);
  await startCrew(memory).end();
  const crew = startCrew(memory);
  for (const { column } of memory.shards) column.set(columns[1]!);
  crew.perform({ name: "bin", feature: 0 }, Number.POSITIVE_INFINITY);
  expect([...memory.cutCounts.slice(0, 4)]).toEqual([255, 255, 255, 0]);
  await crew.end();
});

test("a thread that dies in the midst of a step fails it at once, and every later one", async () => {
  const memory = trainingMemory(target, columns.length, checkedParams({}, columns.length), 3);
  const crew = startCrew(memory, pathToFileURL("testing/dying-helper.ts").href);
  const step = () => crew.perform({ name: "residuals" }, Number.POSITIVE_INFINITY);
  expect(step).toThrow("A training thread has ended.");
  expect(step).toThrow("A training thread has ended.");
  await crew.end();
});

test("small data is trained on by one thread", () => {
  expect(threadsFor(1_000, 20, 300)).toBe(1);
});
