import { expect, it } from "vitest";
import { splitByGroup } from "./difference-groups.ts";

const groups = { values: [["a"], ["b"]], sizes: Int32Array.of(1, 1), ofPoint: Int32Array.of(0, 0, 1, 1, -1) };
const before = [10, 20, 30, 40];
const after = [11, 22, 25, 40];
const points = {
  shown: Int32Array.of(0, 1, 2, 3),
  baseline: (point: number) => before[point]!,
  scenario: (point: number) => after[point]!,
};

it("adds the parts of each group, the largest difference first", () => {
  const parts = [Float64Array.of(1, 1, -4, 0), Float64Array.of(0, 1, -1, 0)];
  const split = splitByGroup(groups, { ...points, axis: points.shown, parts, scale: 1, hasRest: false });
  expect(split).toEqual([
    { group: 1, rows: 2, baseline: 70, scenario: 65, difference: -5, parts: [-4, -1], rest: 0 },
    { group: 0, rows: 2, baseline: 30, scenario: 33, difference: 3, parts: [2, 1], rest: 0 },
  ]);
});

it("scales the parts of some points as those of the total, and leaves the rest unexplained", () => {
  const axis = Int32Array.of(0, 2);
  const parts = [Float64Array.of(1, -5)];
  const split = splitByGroup(groups, { ...points, axis, parts, scale: 2, hasRest: true });
  expect(split.map((one) => [...one.parts, one.rest])).toEqual([
    [-10, 5],
    [2, 1],
  ]);
});

it("leaves out groups without points", () => {
  const ofPoint = Int32Array.of(0, 0, -1, -1, -1);
  const shown = Int32Array.of(0, 1);
  const some = { ...points, shown, axis: shown, parts: [Float64Array.of(1, 2)], scale: 1, hasRest: false };
  expect(splitByGroup({ ...groups, ofPoint }, some).map(({ group }) => group)).toEqual([0]);
});
