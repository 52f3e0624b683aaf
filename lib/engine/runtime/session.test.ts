import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { predictLinear } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { Ensemble } from "#lib/engine/learners/tree";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { linearToOnnx, treesToOnnx } from "#lib/engine/onnx/write-model";
import { predictEnsemble } from "#testing/predict-ensemble";
import { openSession } from "./session.ts";

function sampleData(rowCount: number, featureCount = 3) {
  const random = seededRandom(rowCount);
  const columns = Array.from({ length: featureCount }, () =>
    Float32Array.from({ length: rowCount }, () => (random.next() < 0.05 ? Number.NaN : random.next())),
  );
  const target = Float64Array.from(columns[0]!, (x) => (Number.isNaN(x) ? 0 : 100 * x) + random.next());
  return { columns, target };
}

/** Replaces the leaf values by whole numbers, so that the runtime's float32 sums are exact and show the route. */
function withLeafNumbers(ensemble: Ensemble): Ensemble {
  const trees = ensemble.trees.map((tree, at) => ({
    ...tree,
    value: tree.value.map((_, node) => (tree.feature[node]! < 0 ? 100 * at + node : 0)),
  }));
  return { ...ensemble, baseValue: 0, trees };
}

describe("a trained model written as ONNX", () => {
  test("routes every row like the trainer: at and near thresholds, missing, infinite, denormal, -0", async () => {
    const special = fc.constantFrom(
      0,
      -0,
      1e-45,
      -1e-45,
      1e-39,
      3.4028234663852886e38,
      Infinity,
      -Infinity,
      Number.NaN,
    );
    const value = fc.oneof(special, fc.float(), fc.integer({ min: -3, max: 3 }));
    const row = fc.record({ a: value, b: value, y: fc.integer({ min: -50, max: 50 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 80 }), async (rows) => {
        const columns = [Float32Array.from(rows, ({ a }) => a), Float32Array.from(rows, ({ b }) => b)];
        const target = Float64Array.from(rows, ({ y }) => y);
        const trained = trainGradientBoosting(columns, target, { rounds: 4, minLeaf: 1, maxLeaves: 20 });
        const ensemble = withLeafNumbers(trained.ensemble);
        const thresholds = ensemble.trees.flatMap((tree) => Array.from(tree.threshold));
        const probes = [...thresholds, ...thresholds.map((t) => t * (1 + 2 ** -23)), 0, -0, Number.NaN];
        const withProbes = columns.map((column) => Float32Array.of(...column, ...probes));
        const session = await openSession(treesToOnnx(ensemble, {}));
        expect(await session.predict(withProbes, withProbes[0]!.length)).toEqual(
          predictEnsemble(ensemble, withProbes),
        );
        await session.release();
      }),
      { numRuns: 60 },
    );
  });

  test("predicts like the trainer's trees, to float32", async () => {
    const { columns, target } = sampleData(3_000);
    const { ensemble } = trainGradientBoosting(columns, target, {});
    const session = await openSession(treesToOnnx(ensemble, { trainer: "test" }));
    const predicted = await session.predict(columns, 3_000);
    predictEnsemble(ensemble, columns).forEach((expected, row) => {
      expect(Math.abs(predicted[row]! - expected)).toBeLessThan(5e-4);
    });
  });

  test("predicts counts like the trainer's trees, for any requested link", async () => {
    const { columns, target } = sampleData(1_000);
    const counts = target.map((y) => Math.floor(Math.abs(y)));
    const { ensemble } = trainGradientBoosting(columns, counts, { loss: "poisson", rounds: 40 });
    const session = await openSession(treesToOnnx(ensemble, {}, "nonNegative"));
    const predicted = await session.predict(columns, 1_000);
    predictEnsemble(ensemble, columns).forEach((expected, row) => {
      expect(Math.abs(predicted[row]! / expected - 1)).toBeLessThan(1e-5);
    });
    await session.release();
  });

  test("returns the same bits for a row alone, in a small batch and across batch borders", async () => {
    const { columns, target } = sampleData(20_000);
    const { ensemble } = trainGradientBoosting(columns, target, { rounds: 50 });
    const session = await openSession(treesToOnnx(ensemble, {}));
    const all = await session.predict(columns, 20_000);
    for (const row of [0, 8_191, 8_192, 19_999]) {
      const single = columns.map((column) => column.subarray(row, row + 1));
      expect((await session.predict(single, 1))[0]).toBe(all[row]);
    }
    const part = columns.map((column) => column.subarray(100, 137));
    expect(await session.predict(part, 37)).toEqual(all.subarray(100, 137));
  });

  test("predicts the base value without trees", async () => {
    const ensemble: Ensemble = { kind: "trees", baseValue: 2.5, featureCount: 1, trees: [] };
    const session = await openSession(treesToOnnx(ensemble, {}));
    expect(await session.predict([Float32Array.of(1, Number.NaN)], 2)).toEqual(Float64Array.of(2.5, 2.5));
    expect(await session.predict([new Float32Array(0)], 0)).toEqual(new Float64Array(0));
  });

  test("keeps the precision of a linear model with large means and coefficients", async () => {
    const year = Float32Array.from({ length: 500 }, (_, row) => 2000 + row / 20);
    const small = Float32Array.from({ length: 500 }, (_, row) => Math.sin(row));
    const target = Float64Array.from(year, (x, row) => 5_000 * x + small[row]!);
    const model = trainRidge([year, small], target, { alpha: 0 });
    const session = await openSession(linearToOnnx(model, {}));
    const predicted = await session.predict([year, small], 500);
    predictLinear(model, [year, small]).forEach((expected, row) => {
      // Half a unit in the last place of a float32 of ten million.
      expect(Math.abs(predicted[row]! - expected)).toBeLessThan(1.01);
    });
  });

  test("returns its input and output", async () => {
    const ensemble: Ensemble = { kind: "trees", baseValue: 0, featureCount: 4, trees: [] };
    const { inputs, outputs } = await openSession(treesToOnnx(ensemble, {}));
    expect(inputs).toEqual([{ name: "X", elementType: "float32", shape: ["N", 4], batch: null }]);
    expect(outputs).toEqual([{ name: "Y", elementType: "float32", shape: ["N", 1], batch: null }]);
  });

  test("predicts by input name", async () => {
    const { columns, target } = sampleData(50, 2);
    const { ensemble } = trainGradientBoosting(columns, target, { rounds: 5, minLeaf: 3 });
    const session = await openSession(treesToOnnx(ensemble, {}));
    const table: Table = {
      rowCount: 50,
      columns: [
        { name: "second", type: "number", values: Float64Array.from(columns[1]!) },
        { name: "first", type: "number", values: Float64Array.from(columns[0]!) },
      ],
    };
    const bindings = [
      { feature: "first", input: "X", index: 0 },
      { feature: "second", input: "X", index: 1 },
    ];
    expect(await session.predictNamed(table, bindings)).toEqual(await session.predict(columns, 50));
    await expect(session.predictNamed(table, bindings.slice(1))).rejects.toThrow('Column 0 of the input "X"');
    await expect(session.predictNamed(table, [{ feature: "first", input: "Z" }])).rejects.toThrow(
      'no input "Z"',
    );
    await expect(
      session.predictNamed(table, [...bindings, { feature: "first", input: "X", index: 2 }]),
    ).rejects.toThrow("which has 2");
    await expect(session.predictNamed({ rowCount: 0, columns: [] }, bindings)).rejects.toThrow("is missing");
  });
});

test("rejects a file that is not a model", async () => {
  await expect(openSession(new TextEncoder().encode("hello"))).rejects.toThrow(ModelInvalid);
  await expect(openSession(new Uint8Array(0))).rejects.toThrow(ModelInvalid);
});
