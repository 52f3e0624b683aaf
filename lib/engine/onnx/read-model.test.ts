import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ModelInvalid } from "./onnx-errors.ts";
import { inspectOnnx } from "./read-model.ts";
import {
  FLOAT,
  graph,
  identityModel,
  int64Tensor,
  message,
  modelFile,
  node,
  STRING,
  sequenceInfo,
  tensorInfo,
} from "./test-models.ts";
import { linearToOnnx, treesToOnnx } from "./write-model.ts";

const input = tensorInfo("X", FLOAT, ["N", 2]);
const output = tensorInfo("Y", FLOAT, ["N", 2]);
const identity = node("Identity", ["X"], ["Y"]);

function faultCodes(bytes: Uint8Array) {
  return inspectOnnx(bytes).faults.map(({ code }) => code);
}

function externalTensor(location: string) {
  const place = message().string(1, "location").string(2, location);
  return message().packedInts(1, [2, 2]).int(2, FLOAT).string(8, "weights").message(13, place).int(14, 1);
}

describe("inspectOnnx", () => {
  test("tells the producer, the operator sets, inputs and outputs", () => {
    const bytes = modelFile({
      nodes: [identity],
      inputs: [input, tensorInfo("name", STRING, [null, 1])],
      outputs: [output, sequenceInfo("maps")],
    });
    expect(inspectOnnx(bytes)).toEqual({
      producer: "tests 1.0",
      opsets: [
        { domain: "", version: 13 },
        { domain: "ai.onnx.ml", version: 1 },
      ],
      inputs: [
        { name: "X", kind: "tensor", elementType: "float32", shape: ["N", 2] },
        { name: "name", kind: "tensor", elementType: "string", shape: [null, 1] },
      ],
      outputs: [
        { name: "Y", kind: "tensor", elementType: "float32", shape: ["N", 2] },
        { name: "maps", kind: "sequence", elementType: null, shape: null },
      ],
      operators: ["Identity"],
      initializerBytes: 0,
      faults: [],
    });
  });

  test("finds no fault in what this service writes", () => {
    const trees = treesToOnnx({ kind: "trees", baseValue: 1, featureCount: 3, trees: [] }, { made: "here" });
    expect(inspectOnnx(trees)).toMatchObject({ operators: ["ai.onnx.ml.TreeEnsembleRegressor"], faults: [] });
    const coefficients = Float64Array.of(1, 2);
    const linear = linearToOnnx({ kind: "linear", coefficients, intercept: 0, means: coefficients }, {});
    expect(inspectOnnx(linear).faults).toEqual([]);
  });

  test("does not ask for inputs that the file itself fills", () => {
    const bytes = modelFile({
      nodes: [identity],
      initializers: [int64Tensor("size", [1], [5])],
      inputs: [input, tensorInfo("size", 7, [1])],
      outputs: [output],
    });
    expect(inspectOnnx(bytes).inputs.map(({ name }) => name)).toEqual(["X"]);
  });

  test("refuses data in other files, wherever in the file it is asked for", () => {
    const tensor = externalTensor("/etc/passwd");
    const parts = { nodes: [identity], inputs: [input], outputs: [output] };
    const inAttribute = node("Constant", [], ["c"], {
      attributes: [message().string(1, "value").message(5, tensor)],
    });
    const inner = graph({ nodes: [inAttribute] });
    const inBranch = node("If", ["X"], ["Y"], {
      attributes: [message().string(1, "then_branch").message(6, inner)],
    });
    const sparse = message().message(1, tensor);
    const files = {
      "as an initializer": modelFile({ ...parts, initializers: [tensor] }),
      "as an attribute": modelFile({ ...parts, nodes: [inAttribute] }),
      "in a graph within the graph": modelFile({ ...parts, nodes: [inBranch] }),
      "as sparse values": message().message(7, graph(parts).message(15, sparse)).finish(),
      "in a function": message()
        .message(7, graph(parts))
        .message(25, message().message(7, inAttribute))
        .finish(),
    };
    for (const [place, bytes] of Object.entries(files)) {
      const { faults } = inspectOnnx(bytes);
      expect(
        faults.map(({ code }) => code),
        place,
      ).toEqual(["external_data"]);
      expect(faults[0]!.message, place).toContain('"/etc/passwd"');
    }
  });

  test("refuses a file without an output of numbers, and one without an input", () => {
    const outputs = [sequenceInfo("maps"), tensorInfo("label", STRING, ["N"])];
    expect(inspectOnnx(modelFile({ nodes: [identity], inputs: [input], outputs })).faults).toEqual([
      {
        code: "no_numeric_output",
        message: expect.stringContaining('"maps" (sequence), "label" (string)'),
      },
    ]);
    expect(faultCodes(modelFile({ nodes: [identity], outputs: [output] }))).toEqual(["no_input"]);
  });

  test("refuses inputs that no column can fill", () => {
    const inputs = [sequenceInfo("maps"), tensorInfo("complex", 14, ["N"])];
    expect(faultCodes(modelFile({ inputs, outputs: [output] }))).toEqual([
      "input_unsupported",
      "input_unsupported",
    ]);
  });

  test("refuses more inputs or columns than an import may name", () => {
    const wide = tensorInfo("X", FLOAT, ["N", 100, 101]);
    expect(faultCodes(modelFile({ nodes: [identity], inputs: [wide], outputs: [output] }))).toEqual([
      "input_unsupported",
    ]);
  });

  test("refuses operators that need a plug-in or special hardware", () => {
    const nodes = [
      node("Own", ["X"], ["Y"], { domain: "example.org" }),
      node("EPContext", ["X"], ["Z"], { domain: "com.microsoft" }),
    ];
    expect(faultCodes(modelFile({ nodes, inputs: [input], outputs: [output] }))).toEqual([
      "unknown_operator",
      "unknown_operator",
    ]);
  });

  test("refuses constants whose size is not what the file holds", () => {
    const parts = { nodes: [identity], inputs: [input], outputs: [output] };
    const raw = (dims: number[], bytes: number) =>
      message().packedInts(1, dims).int(2, FLOAT).string(8, "w").bytes(9, new Uint8Array(bytes));
    const withTensor = (tensor: ReturnType<typeof raw>) => modelFile({ ...parts, initializers: [tensor] });
    expect(inspectOnnx(withTensor(raw([2, 3], 24)))).toMatchObject({ initializerBytes: 24, faults: [] });
    expect(faultCodes(withTensor(raw([2, 3], 20)))).toEqual(["tensor_size"]);
    expect(faultCodes(withTensor(raw([-2, -3], 24)))).toEqual(["tensor_size"]);
    expect(faultCodes(withTensor(int64Tensor("w", [2 ** 40], [1])))).toEqual(["tensor_size"]);
  });

  test.each([
    ["a pickle", [0x80, 0x04, 0x95], "Python pickle"],
    ["a PyTorch archive", [0x50, 0x4b, 0x03, 0x04], "ZIP"],
    ["XGBoost's JSON", [...new TextEncoder().encode('{"learner":{}}')], "xgboost-json"],
    ["LightGBM's text", [...new TextEncoder().encode("tree\nversion=v4")], "LightGBM"],
    ["ORT format", [0, 0, 0, 0, 0x4f, 0x52, 0x54, 0x4d], "ORT format"],
    ["nothing", [], "empty"],
    ["a text", [...new TextEncoder().encode("hello world")], "no ONNX model"],
  ])("names %s for what it is", (_, bytes, reason) => {
    expect(() => inspectOnnx(Uint8Array.from(bytes))).toThrow(reason);
  });

  test("refuses graphs nested without end", () => {
    let inner = graph({});
    for (let depth = 0; depth < 40; depth++) {
      inner = graph({ nodes: [node("If", [], [], { attributes: [message().message(6, inner)] })] });
    }
    expect(() => inspectOnnx(message().message(7, inner).finish())).toThrow("deep");
  });

  test("throws nothing but ModelInvalid, whatever the bytes: random ones, and sound models damaged or cut", () => {
    const sound = [
      identityModel(),
      treesToOnnx({ kind: "trees", baseValue: 1, featureCount: 3, trees: [] }, { a: "b" }),
      modelFile({
        nodes: [identity],
        initializers: [externalTensor("x")],
        inputs: [input],
        outputs: [output],
      }),
    ];
    const damaged = fc
      .record({
        model: fc.constantFrom(...sound),
        keep: fc.double({ min: 0, max: 1, noNaN: true }),
        changes: fc.array(fc.record({ at: fc.nat(1_000), byte: fc.nat(255) }), { maxLength: 8 }),
      })
      .map(({ model, keep, changes }) => {
        const bytes = model.slice(0, keep > 0.8 ? model.length : Math.ceil(keep * model.length));
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        try {
          inspectOnnx(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelInvalid);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
