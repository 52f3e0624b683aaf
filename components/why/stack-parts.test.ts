import { expect, test } from "vitest";
import { edgesOf, stackParts, stepPath } from "./stack-parts.ts";

const xs = Float64Array.of(10, 20, 40);
const step = (values: number[]) => ({ values: Float64Array.from(values) }) as never;

test("stacks positive parts upwards and negative ones downwards from zero", () => {
  const { stacks, extent } = stackParts({
    xs,
    steps: [step([1, -2, 0]), step([3, -1, 4]), step([-2, 5, -6])],
  });
  expect(stacks.map(({ lower }) => [...lower])).toEqual([
    [0, -2, 0],
    [1, -3, 0],
    [-2, 0, -6],
  ]);
  expect(stacks.map(({ upper }) => [...upper])).toEqual([
    [1, 0, 0],
    [4, -2, 4],
    [0, 5, 0],
  ]);
  expect(extent).toEqual([-6, 5]);
});

test("ends each point in the middle between it and its neighbours", () => {
  expect([...edgesOf({ xs, domain: [10, 40] })]).toEqual([10, 15, 30, 40]);
});

test("outlines a part by steps, forwards along its upper and back along its lower bound", () => {
  const part = { upper: Float64Array.of(1, 2), lower: Float64Array.of(0, 1) };
  const same = (value: number) => value;
  expect(stepPath(part, Float64Array.of(0, 5, 9), same, same)).toBe(
    "M0.0,1.0L5.0,1.0L5.0,2.0L9.0,2.0L9.0,1.0L5.0,1.0L5.0,0.0L0.0,0.0Z",
  );
});
