import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { intsAttribute, stringsAttribute } from "#lib/engine/onnx/attributes";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { sliceRows } from "#lib/engine/table/rows";
import {
  BOOL,
  DOUBLE,
  FLOAT,
  INT64,
  identityModel,
  message,
  modelFile,
  node,
  STRING,
  sequenceInfo,
  tensorInfo,
} from "#testing/onnx-models";
import { openSession } from "./session.ts";

const numbers: Column = { name: "numbers", type: "number", values: Float64Array.of(1, 2.5, -3) };
const whole: Column = { name: "whole", type: "number", values: Float64Array.of(7, -8, 2 ** 52) };
const flag: Column = { name: "flag", type: "boolean", values: Float64Array.of(1, 0, 1) };
const colour: Column = {
  name: "colour",
  type: "category",
  codes: Int32Array.of(1, 0, -1),
  categories: ["red", "blue"],
};
const table: Table = { rowCount: 3, columns: [numbers, whole, flag, colour] };

/** A model that casts one input of the type to a float64 output. */
function castModel(type: number, shape: (number | string)[] = ["N", 1]) {
  const to = message().string(1, "to").int(3, DOUBLE).int(20, 2);
  return modelFile({
    nodes: [node("Cast", ["in"], ["out"], { attributes: [to] })],
    inputs: [tensorInfo("in", type, shape)],
    outputs: [tensorInfo("out", DOUBLE, shape)],
  });
}

async function predictCast(type: number, feature: string, shape?: (number | string)[]) {
  const session = await openSession(castModel(type, shape));
  return Array.from(await session.predictNamed(table, [{ feature, input: "in" }]));
}

describe("predictNamed", () => {
  test("converts columns to the input's type", async () => {
    expect(await predictCast(FLOAT, "numbers")).toEqual([1, 2.5, -3]);
    expect(await predictCast(DOUBLE, "numbers")).toEqual([1, 2.5, -3]);
    expect(await predictCast(INT64, "whole")).toEqual([7, -8, 2 ** 52]);
    expect(await predictCast(6, "flag")).toEqual([1, 0, 1]);
    expect(await predictCast(BOOL, "flag")).toEqual([1, 0, 1]);
  });

  test("passes a vector [N]", async () => {
    expect(await predictCast(FLOAT, "numbers", ["N"])).toEqual([1, 2.5, -3]);
  });

  test("passes text, and a missing text as the empty string", async () => {
    const labels = [
      stringsAttribute("keys_strings", ["red", "blue", "", "2.5"]),
      intsAttribute("values_int64s", [10, 20, 30, 40]),
    ];
    const model = modelFile(
      {
        nodes: [node("LabelEncoder", ["in"], ["out"], { domain: "ai.onnx.ml", attributes: labels })],
        inputs: [tensorInfo("in", STRING, ["N", 1])],
        outputs: [tensorInfo("out", INT64, ["N", 1])],
      },
      2,
    );
    const session = await openSession(model);
    const predictFeature = async (feature: string) =>
      Array.from(await session.predictNamed(table, [{ feature, input: "in" }]));
    expect(await predictFeature("colour")).toEqual([20, 10, 30]);
    expect((await predictFeature("numbers"))[1]).toBe(40);
  });

  test("loops over a model with batch size 1, and pads a larger fixed batch", async () => {
    expect(await predictCast(FLOAT, "numbers", [1, 1])).toEqual([1, 2.5, -3]);
    expect(await predictCast(FLOAT, "numbers", [2, 1])).toEqual([1, 2.5, -3]);
    const matrix = await openSession(identityModel([2, 1]));
    const rows = await matrix.predict([Float32Array.of(4, 5, 6)], 3);
    expect(Array.from(rows)).toEqual([4, 5, 6]);
  });

  test("predicts a row with the same bits alone and among others", async () => {
    const coefficients = Float64Array.from({ length: 12 }, (_, at) => Math.cos(at + 1));
    const means = new Float64Array(12).fill(0.7);
    const model = linearToOnnx({ kind: "linear", coefficients, intercept: 3, means }, {});
    const session = await openSession(model);
    const bindings = Array.from({ length: 12 }, (_, index) => ({ feature: `x${index}`, input: "X", index }));
    const columns = bindings.map(
      ({ feature: name, index }): Column => ({
        name,
        type: "number",
        values: Float64Array.from({ length: 100 }, (_, row) => Math.sin(7.3 * row + 3.1 * index)),
      }),
    );
    const rows: Table = { rowCount: 100, columns };
    const together = await session.predictNamed(rows, bindings);
    for (const [row, prediction] of together.entries()) {
      expect(await session.predictNamed(sliceRows(rows, row, row + 1), bindings)).toEqual(
        Float64Array.of(prediction),
      );
    }
  });

  test("uses the second of two columns, or the chosen one, and rejects more columns without a choice", async () => {
    const bindings = [
      { feature: "numbers", input: "X", index: 0 },
      { feature: "whole", input: "X", index: 1 },
      { feature: "flag", input: "X", index: 2 },
    ];
    const two = await openSession(identityModel(["N", 2]));
    expect(Array.from(await two.predictNamed(table, bindings.slice(0, 2)))).toEqual([7, -8, 2 ** 52]);
    expect(Array.from(await two.predictNamed(table, bindings.slice(0, 2), { column: 0 }))).toEqual([
      1, 2.5, -3,
    ]);
    const three = await openSession(identityModel(["N", 3]));
    await expect(three.predictNamed(table, bindings)).rejects.toThrow("returns 3 values per row");
    await expect(three.predictNamed(table, bindings, { column: 3 })).rejects.toThrow(
      "returns 3 values per row",
    );
  });

  test("fetches the numbers next to an output that is not a tensor", async () => {
    const zipMap = [intsAttribute("classlabels_int64s", [0, 1])];
    const model = modelFile({
      nodes: [
        node("ZipMap", ["X"], ["maps"], { domain: "ai.onnx.ml", attributes: zipMap }),
        node("Identity", ["X"], ["probabilities"]),
      ],
      inputs: [tensorInfo("X", FLOAT, ["N", 2])],
      outputs: [sequenceInfo("maps"), tensorInfo("probabilities", FLOAT, ["N", 2])],
    });
    const session = await openSession(model);
    const bindings = ["numbers", "flag"].map((feature, index) => ({ feature, input: "X", index }));
    expect(Array.from(await session.predictNamed(table, bindings))).toEqual([1, 0, 1]);
    await expect(session.predictNamed(table, bindings, { output: "maps" })).rejects.toThrow(
      "not a tensor of numbers",
    );
    await expect(session.predictNamed(table, bindings, { output: "other" })).rejects.toThrow(
      'no output "other"',
    );
  });

  test("rejects and names features that do not fit", async () => {
    await expect(predictCast(FLOAT, "colour")).rejects.toThrow(
      'takes numbers, but the feature "colour" is text',
    );
    await expect(predictCast(INT64, "numbers")).rejects.toThrow('"numbers" is 2.5 in row 2');
    await expect(predictCast(FLOAT, "other")).rejects.toThrow('The feature "other" is missing');
  });

  test("uses the returned sizes, not the declared ones, and rejects outputs without a number per row", async () => {
    const reduced = modelFile({
      nodes: [node("ReduceSum", ["X"], ["Y"])],
      inputs: [tensorInfo("X", FLOAT, ["N", 1])],
      outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
    });
    const session = await openSession(reduced);
    await expect(session.predictNamed(table, [{ feature: "numbers", input: "X" }])).rejects.toThrow(
      "the shape [1,1] for 3 rows",
    );
  });
});
