import fc from "fast-check";
import { expect, test } from "vitest";
import { type OutsideRows, outsideSpans, RowMarks } from "./outside-spans.ts";

/** Marks for two features, by row, whether the feature is outside. */
const marked = (x: readonly boolean[], z: readonly boolean[]): OutsideRows[] =>
  [x, z].map((isOutside, at) => {
    const rows = new RowMarks(isOutside.length);
    isOutside.forEach((is, row) => {
      if (is) rows.add(row);
    });
    return { feature: ["x", "z"][at]!, rows };
  });
const [o, _] = [true, false];

test("lists the features of each span, in time order and not in file order", () => {
  const rows = marked([o, _, _, o, _], [_, _, o, o, _]);
  expect(outsideSpans(rows, 5, 9)).toEqual([
    { first: 0, last: 0, features: ["x"] },
    { first: 2, last: 3, features: ["x", "z"] },
  ]);
  expect(outsideSpans(rows, Int32Array.of(1, 0, 3, 2, 4), 9)).toEqual([
    { first: 1, last: 3, features: ["x", "z"] },
  ]);
  expect(outsideSpans(marked([_], [_]), 1, 9)).toEqual([]);
  expect(outsideSpans([], 3, 9)).toEqual([]);
});

test("covers every row that is outside, ends at such rows, and returns at most spansMax spans", () => {
  const is = fc.constantFrom(_, _, _, o);
  const rows = fc.array(fc.tuple(is, is), { maxLength: 60 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 6 }), (values, spansMax) => {
      const outside = marked(
        values.map(([x]) => x),
        values.map(([, z]) => z),
      );
      const spans = outsideSpans(outside, values.length, spansMax);
      expect(spans.length).toBeLessThanOrEqual(spansMax);
      const isOutside = values.map(([x, z]) => x || z);
      const inside = (row: number) => spans.filter(({ first, last }) => row >= first && row <= last).length;
      isOutside.forEach((is, row) => {
        if (is) expect(inside(row)).toBe(1);
      });
      for (const { first, last, features: named } of spans) {
        expect([isOutside[first], isOutside[last]]).toEqual([true, true]);
        expect(named.length).toBeGreaterThan(0);
      }
      // With a high limit, spans hold only rows that are outside.
      const all = outsideSpans(outside, values.length, 1_000);
      const held = all.reduce((sum, { first, last }) => sum + last - first + 1, 0);
      expect(held).toBe(isOutside.filter(Boolean).length);
    }),
  );
});
