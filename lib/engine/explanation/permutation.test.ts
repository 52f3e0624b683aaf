import { expect, test } from "vitest";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { permutationImportance } from "./permutation.ts";

const random = seededRandom(3);
const columns = [0, 1, 2].map(() => Float32Array.from({ length: 800 }, () => random.next()));
const predict = ([a, b]: Float32Array[]) => Float64Array.from(a!, (x, row) => 10 * x + b![row]!);
const target = predict(columns);

test("a feature counts by what its loss costs, and one that is not used for nothing", () => {
  const [first, second, third] = permutationImportance(
    predict,
    columns,
    target,
    [[0], [1], [2]],
    seededRandom(1),
  );
  // Two independent uniform values differ by 1 / √6, as a root mean square.
  expect(first).toBeCloseTo(10 / Math.sqrt(6), 0);
  expect(second).toBeCloseTo(1 / Math.sqrt(6), 1);
  expect(third).toBe(0);
});

test("the columns of one feature are shuffled together", () => {
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

test("the same seed gives the same importance", () => {
  const once = () => permutationImportance(predict, columns, target, [[0], [1]], seededRandom(9));
  expect(once()).toEqual(once());
});
