import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { readLinkedTrees } from "#lib/engine/onnx/read-trees";
import { treesToOnnx } from "#lib/engine/onnx/write-model";
import { settle } from "./contributions.ts";
import { explanationCost, treeContributions } from "./imported-contributions.ts";

const stump: Tree = {
  feature: Int32Array.of(0, -1, -1),
  threshold: new Float32Array(3),
  left: Int32Array.of(1, -1, -1),
  right: Int32Array.of(2, -1, -1),
  missingLeft: new Uint8Array(3),
  value: Float32Array.of(0, -1, 2),
  cover: Float64Array.of(10, 4, 6),
};
const ensembleOf = (tree: Tree): Ensemble => ({
  kind: "trees",
  baseValue: 0,
  featureCount: 1,
  trees: [tree],
});
const read = (tree: Tree) => {
  const trees = readLinkedTrees(treesToOnnx(ensembleOf(tree), {}));
  return trees && explanationCost(trees.ensemble) !== null ? trees : null;
};

/** Returns a chain of nodes that all test the same feature. */
function chain(depth: number): Tree {
  const size = 2 * depth + 1;
  const inner = (node: number) => node % 2 === 0 && node < size - 1;
  const each = (of: (node: number) => number) =>
    Int32Array.from({ length: size }, (_, node) => (inner(node) ? of(node) : -1));
  return {
    feature: each(() => 0),
    threshold: Float32Array.from({ length: size }, (_, node) => node),
    left: each((node) => node + 1),
    right: each((node) => node + 2),
    missingLeft: new Uint8Array(size),
    value: Float32Array.from({ length: size }, (_, node) => (inner(node) ? 0 : node)),
    cover: Float64Array.from({ length: size }, (_, node) => size - node),
  };
}

test("reads trees that can be explained, and no others", () => {
  expect(read(stump)).not.toBeNull();
  expect(read(chain(500))).not.toBeNull();
  expect(read(chain(501))).toBeNull();
  expect(read({ ...stump, left: Int32Array.of(2, -1, -1) })).toBeNull();
  expect(read({ ...stump, right: Int32Array.of(3, -1, -1) })).toBeNull();
  expect(read({ ...stump, feature: Int32Array.of(1, -1, -1) })).toBeNull();
  expect(read({ ...stump, cover: Float64Array.of(10, -4, 14) })).toBeNull();
  expect(readLinkedTrees(new Uint8Array(8))).toBeNull();
});

test("explains rows in parts with the same values as at once", async () => {
  const ensemble = ensembleOf(chain(400));
  const values = Float64Array.from({ length: 600 }, (_, row) => row * 2 - 100);
  const table: Table = { rowCount: 600, columns: [{ name: "x", type: "number", values }] };
  const bindings = [{ feature: "x", input: "X", index: 0 }];
  const model = { ensemble, link: "logistic" as const };
  const all = await treeContributions(model, bindings, table, new Float64Array(600));
  expect(all).toMatchObject({ method: "exact", scale: "log_odds", features: ["x"] });
  expect(all.values).toHaveLength(600);
  const last: Table = {
    rowCount: 1,
    columns: [{ name: "x", type: "number", values: values.subarray(599) }],
  };
  const alone = await treeContributions(model, bindings, last, new Float64Array(1));
  expect(alone.values[0]).toEqual(all.values[599]);
});

test("rounding errors of contributions that cancel out do not shrink them", () => {
  const values = settle(Float64Array.of(5, -5 + 1e-7), 0);
  expect(values[0]).toBeCloseTo(5, 6);
  expect(values[1]).toBeCloseTo(-5, 6);
  // A prediction that a floor cuts by half takes half of each value.
  expect(Array.from(settle(Float64Array.of(3, 1), 2))).toEqual([1.5, 0.5]);
});
