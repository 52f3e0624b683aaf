import { expect, test } from "vitest";
import { predictLinear } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { linearContributions } from "./contributions.ts";
import { gainImportance, linearImportance } from "./importance.ts";

function sample() {
  const random = seededRandom(2);
  const columns = [1, 100, 1].map((scale) => Float32Array.from({ length: 60 }, () => scale * random.next()));
  const target = Float64Array.from(columns[0]!, (x, row) => 10 * x + 0.05 * columns[1]![row]!);
  return { columns, target };
}

test("contributions of a linear model sum to its prediction, and are 0 at the mean", () => {
  const { columns, target } = sample();
  const model = trainRidge(columns, target);
  const rows = Array.from({ length: 60 }, (_, row) => row);
  const predictions = predictLinear(model, columns);
  const { baseValue, values } = linearContributions(model, columns, rows);
  values.forEach((row, at) => {
    expect(row.reduce((sum, value) => sum + value, baseValue)).toBeCloseTo(predictions[at]!, 9);
  });
  const mean = target.reduce((sum, y) => sum + y, 0) / target.length;
  expect(baseValue).toBeCloseTo(mean, 9);
});

test("importance in a linear model does not depend on the columns' units", () => {
  const { columns, target } = sample();
  const importance = linearImportance(trainRidge(columns, target, { alpha: 0 }));
  // 10 × 1 compared with 0.05 × 100, both for a uniform column.
  expect(importance[0]! / importance[1]!).toBeGreaterThan(1.5);
  expect(importance[0]! / importance[1]!).toBeLessThan(2.5);
  expect(importance[2]).toBeLessThan(1e-6);
  expect(importance.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 12);
});

test("gain importance distributes the gains of all trees, and is 0 without splits", () => {
  const tree = {
    feature: Int32Array.of(1, 0, -1, -1, -1),
    threshold: new Float32Array(5),
    left: Int32Array.of(1, 2, -1, -1, -1),
    right: Int32Array.of(4, 3, -1, -1, -1),
    missingLeft: new Uint8Array(5),
    value: new Float32Array(5),
    cover: new Float64Array(5),
    gain: Float64Array.of(30, 10, 0, 0, 0),
  };
  const ensemble = { kind: "trees" as const, baseValue: 0, featureCount: 3, trees: [tree] };
  expect(Array.from(gainImportance(ensemble))).toEqual([0.25, 0.75, 0]);
  expect(Array.from(gainImportance({ ...ensemble, trees: [] }))).toEqual([0, 0, 0]);
});
