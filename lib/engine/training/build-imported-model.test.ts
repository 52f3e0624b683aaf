import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { linearToOnnx, treesToOnnx } from "#lib/engine/onnx/write-model";
import { importHere, openHere } from "#testing/import-here";
import { FLOAT, identityModel, modelFile, node, tensorInfo } from "#testing/onnx-models";
import type { ImportInput } from "./build-imported-model.ts";
import type { FittedModel } from "./model-summary.ts";

const number = (name: string, values: ArrayLike<number>): Column => ({
  name,
  type: "number",
  values: Float64Array.from(values),
});
const rows = 200;
const x = Float64Array.from({ length: rows }, (_, i) => (i % 17) - 8);
const z = Float64Array.from({ length: rows }, (_, i) => Math.cos(i));
const y = x.map((value, i) => 3 * value - 2 * z[i]! + 1 + 0.1 * Math.sin(7 * i));
const labelledRows: Table = { rowCount: rows, columns: [number("x", x), number("z", z), number("y", y)] };

/** y = 3 x - 2 z + 1. */
const linear = linearToOnnx(
  { kind: "linear", coefficients: Float64Array.of(3, -2), intercept: 1, means: Float64Array.of(0, 0) },
  {},
);
const imported = (input: Partial<ImportInput> = {}): Promise<FittedModel> =>
  importHere({
    bytes: linear,
    modelName: "Linear from elsewhere",
    target: "y",
    targetMetric: "mae",
    inputs: [{ feature: "x" }, { feature: "z" }],
    labelledRows,
    ...input,
  });
const load = ({ files }: FittedModel) => openHere(files);

describe("an imported model", () => {
  test("has metrics, ranges and intervals from the labelled rows, by the common predict function", async () => {
    const fitted = await imported();
    const model = await load(fitted);
    const { predictions, intervals } = await model.predict(labelledRows, { include: { intervals: true } });
    expect(fitted.summary.trainingMetrics).toMatchObject({
      train: null,
      validation: regressionMetrics(y, predictions),
    });
    expect(fitted.summary.primaryMetricValue).toBe(fitted.summary.trainingMetrics.validation!.mae);
    expect(fitted.summary.trainingMetrics.validation!.r2).toBeGreaterThan(0.99);
    expect(fitted.summary.inputFeatures).toMatchObject([
      { name: "x", type: "number", min: -8, max: 8 },
      { name: "z", type: "number" },
    ]);
    expect(intervals!.upper[0]! - intervals!.lower[0]!).toBeLessThan(0.3);
    expect(model.heldOut!.rowCount).toBe(rows);
  });

  test("passes columns by the mapping, in any order of the table", async () => {
    const swapped = await load(
      await imported({
        inputs: [
          { feature: "z", index: 1 },
          { feature: "x", index: 0 },
        ],
      }),
    );
    const { predictions } = await swapped.predict({
      rowCount: 1,
      columns: [number("z", [10]), number("x", [1])],
    });
    expect(predictions[0]).toBeCloseTo(3 - 20 + 1, 4);
  });

  test("names features after the inputs without a mapping, and has no metrics without labels", async () => {
    const fitted = await imported({ inputs: undefined, labelledRows: undefined });
    expect(fitted.summary.inputFeatures.map(({ name }) => name)).toEqual(["X_0", "X_1"]);
    expect(fitted.summary).toMatchObject({ primaryMetricValue: null, coverage: null, validation: null });
    const model = await load(fitted);
    const answer = await model.predict(
      { rowCount: 1, columns: [number("X_0", [2]), number("X_1", [1])] },
      { include: { intervals: true, contributions: true } },
    );
    expect(answer.predictions[0]).toBeCloseTo(5, 4);
    expect(answer.intervals).toBeUndefined();
    expect(answer.contributions).toBeUndefined();
  });

  test("has exact contributions for a linear model, and contributions that add up for any model", async () => {
    const line = await load(await imported());
    const few: Table = { rowCount: 2, columns: [number("x", [1, -4]), number("z", [0.5, -0.5])] };
    const linearAnswer = await line.predict(few, { include: { contributions: true } });
    const { contributions } = linearAnswer;
    const middle = (values: Float64Array) => values.toSorted()[rows / 2]!;
    expect(contributions!.method).toBe("sampled");
    expect(contributions!.values[0]![0]).toBeCloseTo(3 * (1 - middle(x)), 4);

    const columns = [Float32Array.from(x), Float32Array.from(z)];
    const { ensemble } = trainGradientBoosting(columns, y, { rounds: 30 });
    const trees = await load(await imported({ bytes: treesToOnnx(ensemble, {}) }));
    const answer = await trees.predict(few, { include: { contributions: true } });
    answer.contributions!.values.forEach((values, row) => {
      const sum = values.reduce((total, value) => total + value, answer.contributions!.baseValue);
      expect(sum).toBeCloseTo(answer.predictions[row]!, 9);
    });
  });

  test("predicts the class of the mapped output column", async () => {
    const bytes = identityModel(["N", 3]);
    const inputs = ["x", "z", "y"].map((feature) => ({ feature }));
    await expect(imported({ bytes, inputs, target: "x" })).rejects.toThrow("outputColumn (0 to 2)");
    const model = await load(await imported({ bytes, inputs, target: "x", outputColumn: 1 }));
    const { predictions } = await model.predict(labelledRows);
    expect(Array.from(predictions)).toEqual(Array.from(Float32Array.from(z)));
  });

  test("accepts missing values exactly for the features with missing values in labelled rows", async () => {
    const { ensemble } = trainGradientBoosting([Float32Array.from(x), Float32Array.from(z)], y, {
      rounds: 5,
    });
    const gappy = Float64Array.from(x, (value, row) => (row % 9 === 0 ? Number.NaN : value));
    const columns = [number("x", gappy), number("z", z), number("y", y)];
    const fitted = await imported({
      bytes: treesToOnnx(ensemble, {}),
      labelledRows: { rowCount: rows, columns },
    });
    expect(fitted.summary.inputFeatures.map(({ missingAllowed }) => missingAllowed)).toEqual([true, false]);
    const model = await load(fitted);
    const row = { rowCount: 1, columns: [number("x", [Number.NaN]), number("z", [0])] };
    expect((await model.predict(row)).predictions[0]).toEqual(expect.any(Number));
  });

  test("is rejected with the row without a numeric prediction", async () => {
    const rootOfX = modelFile({
      nodes: [node("Sqrt", ["X"], ["Y"])],
      inputs: [tensorInfo("X", FLOAT, ["N", 1])],
      outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
    });
    const rejected = imported({ bytes: rootOfX, inputs: [{ feature: "x" }] });
    await expect(rejected).rejects.toThrow("no finite number for row 1");
  });

  test.each([
    ["a file that is no model", { bytes: new TextEncoder().encode("hello") }, /cannot be loaded/],
    ["an input that is not there", { inputs: [{ feature: "x", input: "A" }] }, /no input "A".*"X"/],
    ["too few features", { inputs: [{ feature: "x" }], labelledRows: undefined }, /not bound to a feature/],
    [
      "a place twice",
      {
        inputs: [
          { feature: "x", index: 0 },
          { feature: "z", index: 0 },
        ],
      },
      /two features/,
    ],
    ["a feature twice", { inputs: [{ feature: "x" }, { feature: "x" }] }, /mapped twice/],
    ["an output that is not there", { output: "probability" }, /no output "probability"/],
    ["labelled rows without the target", { target: "sales" }, /no numeric column/],
    ["labelled rows without a feature", { inputs: [{ feature: "x" }, { feature: "w" }] }, /no column "w"/],
  ] as [string, Partial<ImportInput>, RegExp][])(
    "is rejected with the reason: %s",
    async (_, input, reason) => {
      await expect(imported(input)).rejects.toThrow(ModelInvalid);
      await expect(imported(input)).rejects.toThrow(reason);
    },
  );
});
