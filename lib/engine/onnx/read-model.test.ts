import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
} from "#testing/onnx-models";
import { ModelInvalid } from "./onnx-errors.ts";
import { inspectOnnx } from "./read-model.ts";
import { readValueInfo } from "./tensors.ts";
import { linearToOnnx, treesToOnnx } from "./write-model.ts";

const input = tensorInfo("X", FLOAT, ["N", 2]);
const output = tensorInfo("Y", FLOAT, ["N", 2]);
/** A type that an input cannot have. */
const FLOAT16 = 10;
const identity = node("Identity", ["X"], ["Y"]);

function issueCodes(bytes: Uint8Array) {
  return inspectOnnx(bytes).issues.map(({ code }) => code);
}

function externalTensor(location: string) {
  const place = message().string(1, "location").string(2, location);
  return message().packedInts(1, [2, 2]).int(2, FLOAT).string(8, "weights").message(13, place).int(14, 1);
}

describe("inspectOnnx", () => {
  test("returns the operators", () => {
    const bytes = modelFile({
      nodes: [identity],
      inputs: [input, tensorInfo("name", STRING, [null, 1])],
      outputs: [output, sequenceInfo("maps")],
    });
    expect(inspectOnnx(bytes)).toEqual({ operators: ["Identity"], issues: [] });
  });

  test.each([
    [
      tensorInfo("X", FLOAT, ["N", 2]),
      { name: "X", kind: "tensor", elementType: "float32", shape: ["N", 2] },
    ],
    [
      tensorInfo("n", STRING, [null, 1]),
      { name: "n", kind: "tensor", elementType: "string", shape: [null, 1] },
    ],
    [sequenceInfo("maps"), { name: "maps", kind: "sequence", elementType: null, shape: null }],
  ])("reads declared values", (written, read) => {
    expect(readValueInfo(written.finish())).toEqual(read);
  });

  test("finds no issue in this service's own models", () => {
    const trees = treesToOnnx({ kind: "trees", baseValue: 1, featureCount: 3, trees: [] }, { made: "here" });
    expect(inspectOnnx(trees)).toMatchObject({ operators: ["ai.onnx.ml.TreeEnsembleRegressor"], issues: [] });
    const coefficients = Float64Array.of(1, 2);
    const linear = linearToOnnx({ kind: "linear", coefficients, intercept: 0, means: coefficients }, {});
    expect(inspectOnnx(linear).issues).toEqual([]);
  });

  test("omits inputs that the file provides itself", () => {
    const bytes = modelFile({
      nodes: [identity],
      initializers: [int64Tensor("size", [1], [5])],
      inputs: [input, tensorInfo("size", FLOAT16, [1])],
      outputs: [output],
    });
    expect(inspectOnnx(bytes).issues).toEqual([]);
  });

  test("rejects data in other files, in any part of the model", () => {
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
      const { issues } = inspectOnnx(bytes);
      expect(
        issues.map(({ code }) => code),
        place,
      ).toEqual(["external_data"]);
      expect(issues[0]!.message, place).toContain('"/etc/passwd"');
    }
  });

  test("rejects a model without a numeric output or without an input", () => {
    const outputs = [sequenceInfo("maps"), tensorInfo("label", STRING, ["N"])];
    expect(inspectOnnx(modelFile({ nodes: [identity], inputs: [input], outputs })).issues).toEqual([
      {
        code: "no_numeric_output",
        message: expect.stringContaining('"maps" (sequence), "label" (string)'),
      },
    ]);
    expect(issueCodes(modelFile({ nodes: [identity], outputs: [output] }))).toEqual(["no_input"]);
  });

  test("rejects inputs that no column can fill", () => {
    const inputs = [sequenceInfo("maps"), tensorInfo("complex", 14, ["N"])];
    expect(issueCodes(modelFile({ inputs, outputs: [output] }))).toEqual([
      "input_unsupported",
      "input_unsupported",
    ]);
  });

  test("rejects more inputs or columns than the limit", () => {
    const wide = tensorInfo("X", FLOAT, ["N", 100, 101]);
    expect(issueCodes(modelFile({ nodes: [identity], inputs: [wide], outputs: [output] }))).toEqual([
      "input_unsupported",
    ]);
  });

  test("rejects operators that need a plug-in or special hardware", () => {
    const nodes = [
      node("Own", ["X"], ["Y"], { domain: "example.org" }),
      node("EPContext", ["X"], ["Z"], { domain: "com.microsoft" }),
    ];
    expect(issueCodes(modelFile({ nodes, inputs: [input], outputs: [output] }))).toEqual([
      "unknown_operator",
      "unknown_operator",
    ]);
  });

  test("rejects constants whose declared size differs from the data", () => {
    const parts = { nodes: [identity], inputs: [input], outputs: [output] };
    const raw = (dims: number[], bytes: number) =>
      message().packedInts(1, dims).int(2, FLOAT).string(8, "w").bytes(9, new Uint8Array(bytes));
    const withTensor = (tensor: ReturnType<typeof raw>) => modelFile({ ...parts, initializers: [tensor] });
    expect(issueCodes(withTensor(raw([2, 3], 24)))).toEqual([]);
    expect(issueCodes(withTensor(raw([2, 3], 20)))).toEqual(["tensor_size"]);
    expect(issueCodes(withTensor(raw([-2, -3], 24)))).toEqual(["tensor_size"]);
    expect(issueCodes(withTensor(int64Tensor("w", [2 ** 40], [1])))).toEqual(["tensor_size"]);
  });

  test.each([
    ["a pickle", [0x80, 0x04, 0x95], "Python pickle"],
    ["a PyTorch archive", [0x50, 0x4b, 0x03, 0x04], "ZIP"],
    ["XGBoost's JSON", [...new TextEncoder().encode('{"learner":{}}')], "xgboost-json"],
    ["LightGBM's text", [...new TextEncoder().encode("tree\nversion=v4")], "LightGBM"],
    ["ORT format", [0, 0, 0, 0, 0x4f, 0x52, 0x54, 0x4d], "ORT format"],
    ["nothing", [], "empty"],
    ["a text", [...new TextEncoder().encode("hello world")], "not an ONNX model"],
  ])("rejects %s with a reason", (_, bytes, reason) => {
    expect(() => inspectOnnx(Uint8Array.from(bytes))).toThrow(reason);
  });

  test("rejects deeply nested graphs", () => {
    let inner = graph({});
    for (let depth = 0; depth < 40; depth++) {
      inner = graph({ nodes: [node("If", [], [], { attributes: [message().message(6, inner)] })] });
    }
    expect(() => inspectOnnx(message().message(7, inner).finish())).toThrow("deep");
  });

  test("throws only ModelInvalid, for random bytes and for damaged or truncated models", () => {
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
