import fc from "fast-check";
import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import type { InputFeature } from "./input-features.ts";
import { outsideSpans } from "./outside-spans.ts";

const feature = (name: string): InputFeature => ({
  ...{ name, type: "number", role: "input", required: true, missingAllowed: true, missing: 0 },
  ...{ min: 0, max: 1, mean: 0, median: 0, categories: null, sourceProjectId: null },
});
const features = [feature("x"), feature("z")];
const tableOf = (x: number[], z: number[]): Table => ({
  rowCount: x.length,
  columns: [
    { name: "x", type: "number", values: Float64Array.from(x) },
    { name: "z", type: "number", values: Float64Array.from(z) },
  ],
});
const inOrder = (length: number) => Int32Array.from({ length }, (_, row) => row);

test("names the features of each stretch, in the order of time and not of the file", () => {
  const table = tableOf([2, 0, 0, 2, 0], [0, 0, 2, 2, 0]);
  expect(outsideSpans(table, features, inOrder(5), 9)).toEqual([
    { first: 0, last: 0, features: ["x"] },
    { first: 2, last: 3, features: ["x", "z"] },
  ]);
  expect(outsideSpans(table, features, Int32Array.of(1, 0, 3, 2, 4), 9)).toEqual([
    { first: 1, last: 3, features: ["x", "z"] },
  ]);
  expect(outsideSpans(tableOf([0], [1]), features, inOrder(1), 9)).toEqual([]);
});

test("holds every row that is outside, ends at such rows, and is never longer than asked for", () => {
  const value = fc.constantFrom(0, 0, 0, 2);
  const rows = fc.array(fc.tuple(value, value), { maxLength: 60 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 6 }), (values, spansMax) => {
      const table = tableOf(
        values.map(([x]) => x),
        values.map(([, z]) => z),
      );
      const spans = outsideSpans(table, features, inOrder(values.length), spansMax);
      expect(spans.length).toBeLessThanOrEqual(spansMax);
      const isOutside = values.map(([x, z]) => x > 1 || z > 1);
      const inside = (row: number) => spans.filter(({ first, last }) => row >= first && row <= last).length;
      isOutside.forEach((is, row) => {
        if (is) expect(inside(row)).toBe(1);
      });
      for (const { first, last, features: named } of spans) {
        expect([isOutside[first], isOutside[last]]).toEqual([true, true]);
        expect(named.length).toBeGreaterThan(0);
      }
      // With room for all of them, only rows that are outside are in a stretch.
      const all = outsideSpans(table, features, inOrder(values.length), 1_000);
      const held = all.reduce((sum, { first, last }) => sum + last - first + 1, 0);
      expect(held).toBe(isOutside.filter(Boolean).length);
    }),
  );
});
