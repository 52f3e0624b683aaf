import { expect, test } from "vitest";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { permutationImportance } from "./permutation.ts";

const random = seededRandom(3);
const columns = [0, 1, 2].map(() => Float32Array.from({ length: 800 }, () => random.next()));
const predict = ([a, b]: Float32Array[]) => Float64Array.from(a!, (x, row) => 10 * x + b![row]!);
const target = predict(columns);

test("returns the error increase without a feature, and 0 for an unused feature", () => {
  const [first, second, third] = permutationImportance(
    predict,
    columns,
    target,
    [[0], [1], [2]],
    seededRandom(1),
  );
  // The root mean square difference of two independent uniform values is 1 / √6.
  expect(first).toBeCloseTo(10 / Math.sqrt(6), 0);
  expect(second).toBeCloseTo(1 / Math.sqrt(6), 1);
  expect(third).toBe(0);
});

test("shuffles the columns of one feature together", () => {
  const copied = [columns[0]!, columns[0]!];
  const difference = ([a, b]: Float32Array[]) => Float64Array.from(a!, (x, row) => x - b![row]!);
  const alone = permutationImportance(
    difference,
    copied,
    new Float64Array(800),
    [[0], [0, 1]],
    seededRandom(1),
  );
  expect(alone[0]).toBeGreaterThan(0.3);
  expect(alone[1]).toBe(0);
});

test("returns the same importance for the same seed", () => {
  const once = () => permutationImportance(predict, columns, target, [[0], [1]], seededRandom(9));
  expect(once()).toEqual(once());
});
