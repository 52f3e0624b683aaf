import { expect, test } from "vitest";
import { importHere, openHere } from "#testing/import-here";
import { FLOAT, int64Tensor, modelFile, node, tensorInfo } from "#testing/onnx-models";
import { floatsAttribute, stringsAttribute } from "./attributes.ts";
import { knownTexts } from "./known-texts.ts";

const STRING = 8;
const ml = (operator: string, inputs: string[], output: string, texts?: [name: string, values: string[]]) =>
  node(operator, inputs, [output], {
    domain: "ai.onnx.ml",
    attributes: texts === undefined ? [] : [stringsAttribute(...texts)],
  });
const sky: [string, string[]] = ["cats_strings", ["clear", "rain"]];
const kind: [string, string[]] = ["cats_strings", ["a", "b", "c"]];

/** Sum of the encoded texts: columns are joined first and chosen by number, as scikit-learn's converters write it. */
const joined = modelFile({
  nodes: [
    node("Concat", ["kind", "sky"], ["all"]),
    ml("ArrayFeatureExtractor", ["all", "second"], "left"),
    ml("ArrayFeatureExtractor", ["all", "first"], "right"),
    ml("OneHotEncoder", ["left"], "sky codes", sky),
    ml("OneHotEncoder", ["right"], "kind codes", kind),
    node("ReduceSum", ["sky codes"], ["one"]),
    node("ReduceSum", ["kind codes"], ["two"]),
    node("Add", ["one", "two"], ["Y"]),
  ],
  initializers: [int64Tensor("first", [1], [0]), int64Tensor("second", [1], [1])],
  inputs: [tensorInfo("sky", STRING, ["N", 1]), tensorInfo("kind", STRING, ["N", 1])],
  outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
});

test("follows the columns of inputs to the tables that look them up", () => {
  const widths = new Map([
    ["sky", 1],
    ["kind", 1],
  ]);
  expect(knownTexts(joined, widths)).toEqual(
    new Map([
      ["sky 0", ["clear", "rain"]],
      ["kind 0", ["a", "b", "c"]],
    ]),
  );
  const direct = modelFile({
    nodes: [
      node("Identity", ["X"], ["same"]),
      ml("LabelEncoder", ["same"], "codes", ["keys_strings", ["a", "b"]]),
    ],
  });
  expect(knownTexts(direct, new Map([["X", 2]]))).toEqual(
    new Map([
      ["X 0", ["a", "b"]],
      ["X 1", ["a", "b"]],
    ]),
  );
});

test("knows nothing of texts that are changed before, or of other operators", () => {
  const changed = modelFile({
    nodes: [node("StringNormalizer", ["X"], ["lower"]), ml("OneHotEncoder", ["lower"], "codes", sky)],
  });
  expect(knownTexts(changed, new Map([["X", 1]])).size).toBe(0);
  expect(knownTexts(modelFile({}), new Map([["X", 1]])).size).toBe(0);
});

test("does not follow columns that each node doubles", () => {
  const doubling = Array.from({ length: 60 }, (_, at) =>
    node("Concat", [`c${at}`, `c${at}`], [`c${at + 1}`]),
  );
  const bomb = modelFile({ nodes: [...doubling, ml("OneHotEncoder", ["c60"], "codes", sky)] });
  expect(knownTexts(bomb, new Map([["c0", 1]])).size).toBe(0);
});

/** Number of the text in a list. */
const encoder = modelFile(
  {
    nodes: [
      node("LabelEncoder", ["sky"], ["Y"], {
        domain: "ai.onnx.ml",
        attributes: [
          stringsAttribute("keys_strings", ["clear", "rain"]),
          floatsAttribute("values_floats", [1, 2]),
        ],
      }),
    ],
    inputs: [tensorInfo("sky", STRING, ["N", 1])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 1])],
  },
  2,
);

test("an imported model without labelled rows warns of texts that it does not know", async () => {
  const fitted = await importHere({
    bytes: encoder,
    modelName: "Sky",
    target: "y",
    targetMetric: "rmse",
  });
  expect(fitted.summary.inputFeatures).toMatchObject([{ name: "sky", categories: ["clear", "rain"] }]);
  const model = await openHere(fitted.files);
  const { warnings } = model.checkInput({
    rowCount: 2,
    columns: [{ name: "sky", type: "category", categories: ["clear", "fog"], codes: Int32Array.of(0, 1) }],
  });
  expect(warnings).toMatchObject([{ code: "unseen_category", column: "sky", rows: 1, firstRow: 2 }]);
});
