import { expect, test } from "vitest";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { requireOutput } from "./output-options.ts";
import type { OutputChoice } from "./outputs.ts";

/** An output of `width` values per row, with the values of two rows of zeros. */
type Output = { name: string; type?: string; width: number; values?: (number | string)[] };

function check(
  outputs: Output[],
  choice: OutputChoice = {},
  zipMaps: { output: string; labels: string[] }[] = [],
) {
  const infos = outputs.map(({ name, type = "float32", width }) => ({
    name,
    elementType: type === "map" ? null : type,
    batch: null,
    shape: width === 1 ? ["N"] : ["N", width],
  }));
  const sample = outputs
    .filter(({ type }) => type !== "map")
    .map(({ name, type = "float32", width, values = Array<number>(2 * width).fill(0) }) => ({
      name,
      elementType: type,
      values,
      dims: width === 1 ? [2] : [2, width],
    }));
  return requireOutput({ outputs: infos, sample, zipMaps }, choice);
}

function rejection(...args: Parameters<typeof check>): ModelInvalid {
  try {
    check(...args);
  } catch (error) {
    if (error instanceof ModelInvalid) return error;
    throw error;
  }
  throw new Error("The choice was accepted.");
}

const labels: Output = { name: "label", type: "int64", width: 1 };
const probabilities = (width: number): Output => ({
  name: "probabilities",
  width,
  values: Array<number>(2 * width).fill(1 / width),
});

test.each<[string, Output[], OutputChoice]>([
  ["one value per row", [{ name: "Y", width: 1 }], {}],
  ["a classifier's labels and probabilities of two classes", [labels, probabilities(2)], {}],
  ["probabilities of two classes alone", [probabilities(2)], {}],
  [
    "a text label beside two scores",
    [
      { name: "label", type: "string", width: 1 },
      { name: "s", width: 2 },
    ],
    {},
  ],
  ["labels alone", [labels], {}],
  [
    "a named output of several",
    [
      { name: "a", width: 1 },
      { name: "b", width: 1 },
    ],
    { output: "b" },
  ],
  ["a column of several", [{ name: "Y", width: 4 }], { column: 3 }],
])("asks no question: %s", (_, outputs, choice) => {
  expect(check(outputs, choice)).toEqual([]);
});

test("asks for one of several outputs, with names and shapes", () => {
  const error = rejection([labels, { name: "mean", width: 1 }, { name: "bounds", width: 2 }]);
  expect(error.message).toBe(
    [
      "Several outputs of the model can be the prediction. Set output and outputColumn to one of:",
      '- output "label": int64 [N]',
      '- output "mean": float32 [N]',
      '- output "bounds", outputColumn 0: float32 [N, 2]',
      '- output "bounds", outputColumn 1: float32 [N, 2]',
    ].join("\n"),
  );
  expect(error.outputOptions).toEqual([
    { output: "label", outputColumn: null, label: null, elementType: "int64", shape: ["N"] },
    { output: "mean", outputColumn: null, label: null, elementType: "float32", shape: ["N"] },
    { output: "bounds", outputColumn: 0, label: null, elementType: "float32", shape: ["N", 2] },
    { output: "bounds", outputColumn: 1, label: null, elementType: "float32", shape: ["N", 2] },
  ]);
});

test("asks for the column of two values that are no probabilities, and of three classes", () => {
  const two = rejection([{ name: "Y", width: 2 }]);
  expect(two.message).toMatch(/^The output "Y" has several values per row/);
  expect(two.outputOptions?.map(({ outputColumn }) => outputColumn)).toEqual([0, 1]);
  const three = rejection([labels, probabilities(3)]);
  expect(three.outputOptions?.map(({ output }) => output)).toEqual(Array(3).fill("probabilities"));
});

test("names the options for an output or a column that does not exist", () => {
  expect(rejection([{ name: "Y", width: 1 }], { output: "Z" }).message).toContain('no output "Z"');
  expect(rejection([{ name: "Y", width: 1 }], { output: "Z" }).outputOptions).toHaveLength(1);
  expect(rejection([probabilities(2)], { column: 2 }).message).toContain("has no column 2");
});

test("offers the classes of a ZipMap beside labels, unless an output is named", () => {
  const outputs: Output[] = [labels, { name: "maps", type: "map", width: 1 }];
  const zipMaps = [{ output: "maps", labels: ["cat", "dog"] }];
  const option = { output: "maps", elementType: "float32", shape: ["?", 2] };
  expect(check(outputs, {}, zipMaps)).toEqual([
    { ...option, outputColumn: 0, label: "cat" },
    { ...option, outputColumn: 1, label: "dog" },
  ]);
  expect(check(outputs, { output: "label" }, zipMaps)).toEqual([]);
  const opened = check([labels, { name: "maps", width: 2 }], { output: "maps" }, zipMaps);
  expect(opened).toEqual([]);
});

test("lists at most 100 options, and counts the others", () => {
  const error = rejection([{ name: "Y", width: 130 }]);
  expect(error.outputOptions).toHaveLength(100);
  expect(error.message).toContain("30 more");
});
