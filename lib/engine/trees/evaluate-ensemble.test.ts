import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { readLinkedTrees, readTrees } from "#lib/engine/onnx/read-trees";
import { linearToOnnx, treesToOnnx } from "#lib/engine/onnx/write-model";
import { openSession } from "#lib/engine/runtime/session";
import { evaluatorOf, evaluatorOfProgram } from "./evaluate-ensemble.ts";
import { treeProgram } from "./tree-program.ts";

/** A feature takes two planes. The single-row kernels support 16, 32 and 64 planes. */
const WIDTHS = [5, 8, 9, 16, 17, 32, 33];
/** Splits, one fewer than leaves. The kernels support 16, 32 and 64 leaves. */
const SPLITS = [3, 15, 16, 31, 32, 63, 64];

const special = fc.constantFrom(
  ...[0, -0, 1, 1e-45, -1e-45, 1e-39, 3.4028234663852886e38, -3.4028234663852886e38],
);
const number = fc.oneof(
  special,
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -3, max: 3 }),
);
const value = fc.oneof(number, fc.constantFrom(Number.NaN, Infinity, -Infinity));
const split = fc.record({
  /** Index of the leaf to split. */
  leaf: fc.nat(),
  feature: fc.nat(),
  threshold: number,
  missingLeft: fc.nat(1),
});
const tree = fc.record({
  splits: fc.array(split, { maxLength: Math.max(...SPLITS), size: "max" }),
  values: fc.array(fc.oneof(fc.float({ min: -100, max: 100, noNaN: true }), fc.constant(-0)), {
    minLength: 1,
    maxLength: 8,
  }),
});

type Drawn = typeof tree extends fc.Arbitrary<infer T> ? T : never;

/** Grows a tree by the given splits, at most `most`. */
function treeOf({ splits, values }: Drawn, width: number, most = splits.length): Tree {
  const leaf = { feature: -1, threshold: 0, left: -1, right: -1, missingLeft: 0 };
  const nodes = [leaf];
  for (const { leaf: parted, feature, ...test } of splits.slice(0, most)) {
    const leaves = nodes.flatMap(({ feature }, node) => (feature < 0 ? [node] : []));
    const left = nodes.push(leaf, leaf) - 2;
    nodes[leaves[parted % leaves.length]!] = { ...test, feature: feature % width, left, right: left + 1 };
  }
  return {
    feature: Int32Array.from(nodes, (node) => node.feature),
    threshold: Float32Array.from(nodes, (node) => node.threshold),
    left: Int32Array.from(nodes, (node) => node.left),
    right: Int32Array.from(nodes, (node) => node.right),
    missingLeft: Uint8Array.from(nodes, (node) => node.missingLeft),
    value: Float32Array.from(nodes, ({ feature }, node) => (feature < 0 ? values[node % values.length]! : 0)),
    cover: new Float64Array(nodes.length),
  };
}

/** A tree that descends to the right. Each node tests its own threshold of the given feature. */
function staircase(steps: number, featureOf: (step: number) => number): Tree {
  const size = 2 * steps + 1;
  const inner = (node: number) => node % 2 === 0 && node < size - 1;
  const each = (of: (node: number) => number, leaf: number) =>
    Array.from({ length: size }, (_, node) => (inner(node) ? of(node) : leaf));
  return {
    feature: Int32Array.from(each((node) => featureOf(node / 2), -1)),
    threshold: Float32Array.from(each((node) => node / 2, 0)),
    left: Int32Array.from(each((node) => node + 1, -1)),
    right: Int32Array.from(each((node) => node + 2, -1)),
    missingLeft: new Uint8Array(size),
    value: Float32Array.from({ length: size }, (_, node) => (inner(node) ? 0 : node)),
    cover: new Float64Array(size),
  };
}

function ensembleOf(trees: Tree[], featureCount: number, baseValue = 0): Ensemble {
  return { kind: "trees", baseValue, featureCount, trees };
}

async function predictBoth(ensemble: Ensemble, columns: Float32Array[], nonNegative = false) {
  const file = treesToOnnx(ensemble, { trainer: "test" }, nonNegative ? "nonNegative" : "none");
  const rowCount = columns[0]!.length;
  const runtime = await openSession(file);
  const expected = await runtime.predict(columns, rowCount);
  const read = readTrees(file);
  const evaluator = read && evaluatorOf(read);
  const results = {
    evaluator,
    expected,
    own: evaluator?.predict(columns, rowCount) ?? null,
  };
  await runtime.release();
  return results;
}

describe("evaluation equals the runtime's, to the bit,", () => {
  test("for any trees and rows", async () => {
    const row = fc.array(value, { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(tree, { minLength: 1, maxLength: 12 }),
        fc.record({ width: fc.constantFrom(...WIDTHS), splits: fc.constantFrom(...SPLITS) }),
        fc.oneof(
          special.filter((base) => Math.abs(base) < 10),
          fc.float({ min: -100, max: 100, noNaN: true }),
        ),
        fc.boolean(),
        fc.array(row, { minLength: 1, maxLength: 150, size: "max" }),
        async (drawn, { width, splits }, base, nonNegative, rows) => {
          const trees = drawn.map((one) => treeOf(one, width, splits));
          const ensemble = ensembleOf(trees, width, Math.fround(base));
          const columns = Array.from({ length: width }, (_, at) =>
            Float32Array.from(rows, (_, index) => rows[(index + at) % rows.length]![at % 5]!),
          );
          const { expected, own, evaluator } = await predictBoth(ensemble, columns, nonNegative);
          expect(own).toEqual(expected);
          const alone = rows.map((_, index) => {
            return evaluator!.predict(
              columns.map((column) => column.subarray(index, index + 1)),
              1,
            )[0]!;
          });
          expect(Float64Array.from(alone)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("for 300 trees and any fill of vectors and blocks", async () => {
    const random = seededRandom(3);
    const columns = Array.from({ length: 4 }, () =>
      Float32Array.from({ length: 3_000 }, () => (random.next() < 0.05 ? Number.NaN : random.next())),
    );
    const target = Float64Array.from(
      columns[0]!,
      (x, row) => 100 * (x || 0) + 30 * columns[1]![row]! ** 2 || 0,
    );
    const { ensemble } = trainGradientBoosting(columns, target, { rounds: 300 });
    const { expected, own } = await predictBoth(ensemble, columns);
    expect(own).toEqual(expected);
    const evaluator = evaluatorOf({ ensemble, nonNegative: false })!;
    const elsewhere = evaluatorOfProgram(structuredClone(evaluator.program()))!;
    for (const count of [
      0, 1, 2, 6, 7, 15, 16, 17, 31, 32, 33, 38, 39, 48, 63, 64, 65, 70, 71, 97, 128, 129, 200,
    ]) {
      const some = columns.map((column) => column.subarray(7, 7 + count));
      expect(evaluator.predict(some, count)).toEqual(expected.subarray(7, 7 + count));
      expect(elsewhere.predict(some, count)).toEqual(expected.subarray(7, 7 + count));
    }
  });

  test("up to 256 leaves, 255 thresholds per feature and 511 features, with the runtime beyond", async () => {
    const column = Float32Array.from({ length: 300 }, (_, row) => row - 0.5);
    const across = (count: number) => Array.from({ length: count }, () => column);
    const limits: [Ensemble, boolean][] = [
      [ensembleOf([staircase(255, () => 0)], 1), true],
      [ensembleOf([staircase(256, (step) => step % 2)], 2), false],
      [ensembleOf([staircase(200, () => 0), staircase(255, (step) => (step < 200 ? 0 : 1))], 2), true],
      [
        ensembleOf(
          [0, 1].map((part) => ({
            ...staircase(200, () => 0),
            threshold: staircase(200, () => 0).threshold.map((x) => x + 56 * part),
          })),
          1,
        ),
        false,
      ],
      [
        ensembleOf(
          Array.from({ length: 511 }, (_, at) => staircase(1, () => at)),
          512,
        ),
        true,
      ],
      [
        ensembleOf(
          Array.from({ length: 512 }, (_, at) => staircase(1, () => at)),
          512,
        ),
        false,
      ],
    ];
    for (const [ensemble, isOwn] of limits) {
      const { expected, own } = await predictBoth(ensemble, across(ensemble.featureCount));
      expect(own).toEqual(isOwn ? expected : null);
    }
  });
});

test("supports a single-row kernel for up to 64 leaves and 32 features", () => {
  const shapeOf = (leaves: number, width: number) => {
    const trees = Array.from({ length: width }, (_, at) => staircase(leaves - 1, () => at));
    return treeProgram(ensembleOf(trees, width))?.row?.shape;
  };
  expect(shapeOf(2, 1)).toEqual({ leaves: 16, planes: 16 });
  expect(shapeOf(16, 8)).toEqual({ leaves: 16, planes: 16 });
  expect(shapeOf(17, 8)).toEqual({ leaves: 32, planes: 16 });
  expect(shapeOf(32, 9)).toEqual({ leaves: 32, planes: 32 });
  expect(shapeOf(33, 17)).toEqual({ leaves: 64, planes: 64 });
  expect(shapeOf(64, 32)).toEqual({ leaves: 64, planes: 64 });
  expect(shapeOf(65, 1)).toBeUndefined();
  expect(shapeOf(2, 33)).toBeUndefined();
});

test("recognizes only files of this service", async () => {
  const ensemble = ensembleOf([staircase(3, () => 1), treeOf({ splits: [], values: [2] }, 1)], 2, 0.5);
  const file = treesToOnnx(ensemble, { target: "y" });
  expect(readTrees(file)).toEqual({ ensemble, nonNegative: false });
  expect(readTrees(treesToOnnx(ensemble, {}, "nonNegative"))).toEqual({ ensemble, nonNegative: true });
  expect(readTrees(treesToOnnx({ ...ensemble, link: "exp" }, {}))).toBeNull();
  expect(readTrees(treesToOnnx(ensemble, {}, "logistic"))).toBeNull();
  for (const link of ["none", "nonNegative", "exp", "logistic"] as const)
    expect(readLinkedTrees(treesToOnnx(ensemble, {}, link))).toEqual({ ensemble, link });
  expect(readTrees(linearToOnnx({ coefficients: [1], means: [0], intercept: 1 } as never, {}))).toBeNull();
  // BRANCH_LEQ → BRANCH_LTE and so on: same length, but another or no meaning.
  const at = Buffer.from(file).indexOf("BRANCH_LEQ");
  expect(readTrees(Uint8Array.from(file, (byte, index) => (index === at + 9 ? 84 : byte)))).toBeNull();
  for (let length = 0; length < file.length; length += 7)
    expect(readTrees(file.subarray(0, length))).toBeNull();
});

test("reads the export of trees whose scores are scaled, with values in the target's unit", () => {
  const tree = staircase(3, (leaf) => leaf);
  const ensemble = { ...ensembleOf([tree], 2, 0.5), center: 1_000, scale: 4 };
  const { ensemble: read } = readTrees(treesToOnnx(ensemble, {}))!;
  expect(read.baseValue).toBe(1_002);
  expect(read.trees[0]!.value).toEqual(tree.value.map((value) => 4 * value));
});

test("rejects cyclic trees and features out of range", () => {
  const tree = staircase(3, () => 0);
  const left = tree.left.with(4, 2);
  expect(evaluatorOf({ ensemble: ensembleOf([{ ...tree, left }], 5), nonNegative: false })).toBeNull();
  expect(
    evaluatorOf({ ensemble: ensembleOf([{ ...tree, left: tree.left.with(2, 5) }], 5), nonNegative: false }),
  ).toBeNull();
  expect(evaluatorOf({ ensemble: ensembleOf([tree], 0), nonNegative: false })).toBeNull();
});
