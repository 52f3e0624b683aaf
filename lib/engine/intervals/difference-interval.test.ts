import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceInterval, studentQuantile } from "./difference-interval.ts";
import { CellSums, cellsOf } from "./stored-totals.ts";

const ROWS = 30;
const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
  minLength: ROWS,
  maxLength: ROWS,
});
const members = fc.array(numbers, { minLength: 2, maxLength: 20 });
const sideOf = (predicted: readonly (readonly number[])[], rows = { from: 0, to: ROWS }) => {
  const cells = cellsOf(ROWS);
  const prefixes = predicted.map((values) => {
    const sums = new CellSums(cells);
    sums.add(Float64Array.from(values));
    return sums.prefix;
  });
  return { totals: { ...cells, squares: null, members: prefixes }, rows };
};

test("two scenarios with the same members and inputs differ by exactly 0 ± 0", () => {
  fc.assert(
    fc.property(members, (predicted) => {
      expect(differenceInterval(0, sideOf(predicted), sideOf(predicted))).toEqual({
        totalDifferenceInterval: { level: 0.9, lower: 0, upper: 0 },
        differsAtLevel: null,
      });
    }),
  );
});

test("an effect that all members agree on is certain, and a disagreement widens the interval", () => {
  const base = [Array(ROWS).fill(1), Array(ROWS).fill(5)];
  const raised = base.map((values) => values.map((value: number) => value + 2));
  expect(differenceInterval(60, sideOf(raised), sideOf(base))).toMatchObject({ differsAtLevel: 0.95 });
  const unsure = [Array(ROWS).fill(2), Array(ROWS).fill(4)];
  const { totalDifferenceInterval, differsAtLevel } = differenceInterval(60, sideOf(unsure), sideOf(base))!;
  expect(totalDifferenceInterval.lower!).toBeLessThan(0);
  expect(differsAtLevel).not.toBe(0.95);
});

test("there is no interval without members or with rows in different cells", () => {
  const one = [[...Array(ROWS).keys()]];
  expect(differenceInterval(0, sideOf([]), sideOf(one))).toBeNull();
  expect(differenceInterval(0, sideOf(one), sideOf(one))).toBeNull();
  const two = sideOf([...one, ...one]);
  const coarse = { ...two, totals: { ...two.totals, every: 2 } };
  expect(differenceInterval(0, two, coarse)).toBeNull();
});

test.each([
  [0.9, 9, 1.833],
  [0.9, 19, 1.729],
  [0.95, 9, 2.262],
  [0.8, 19, 1.328],
  [0.5, 9, 0.703],
])("the two-sided quantile at %f with %i degrees of freedom is %f", (level, freedom, expected) => {
  expect(studentQuantile(level, freedom)).toBeCloseTo(expected, 2);
});
