import fc from "fast-check";
import { expect, test } from "vitest";
import { CellSums, cellsOf, decodeTotals, encodeTotals, sumBetween } from "./stored-totals.ts";

const value = fc.integer({ min: -1_000, max: 1_000 });
const span = fc.tuple(fc.nat(), fc.nat());

const sumsOf = (values: readonly number[], parts: number) => {
  const cells = cellsOf(values.length);
  const sums = new CellSums(cells);
  const size = Math.ceil(values.length / parts);
  for (let from = 0; from < values.length; from += size)
    sums.add(Float64Array.from(values.slice(from, from + size)));
  return { cells, prefix: sums.prefix };
};
const total = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

test("sums over any span of up to 1,000 rows are exact, in however many parts the rows arrive", () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 1_000, size: "max" }),
      fc.integer({ min: 1, max: 7 }),
      span,
      (values, parts, [a, b]) => {
        const [from, to] = [a % (values.length + 1), b % (values.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const { cells, prefix } = sumsOf(values, parts);
        expect(sumBetween(prefix, cells, { from, to })).toBe(total(values.slice(from, to)));
      },
    ),
  );
});

test("sums over a span of more rows are exact at the borders of cells and proportional within", () => {
  const values = Array.from({ length: 2_500 }, (_, row) => row);
  const { cells, prefix } = sumsOf(values, 3);
  expect(cells.every).toBe(3);
  expect(sumBetween(prefix, cells, { from: 300, to: 2_499 })).toBe(total(values.slice(300, 2_499)));
  expect(sumBetween(prefix, cells, { from: 0, to: 2_500 })).toBe(total(values));
  expect(sumBetween(prefix, cells, { from: 0, to: 1 })).toBe(1);
});

test("a missing value counts as 0", () => {
  const { cells, prefix } = sumsOf([1, Number.NaN, 2], 1);
  expect(sumBetween(prefix, cells, { from: 0, to: 3 })).toBe(3);
});

test("stored totals are read back to the bit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
      fc.nat(3),
      fc.boolean(),
      (values, count, has) => {
        const { cells, prefix } = sumsOf(values, 1);
        const totals = { ...cells, squares: has ? prefix : null, members: Array(count).fill(prefix) };
        expect(decodeTotals(encodeTotals(totals))).toEqual(totals);
      },
    ),
  );
});
