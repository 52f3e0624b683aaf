import fc from "fast-check";
import { expect, test } from "vitest";
import { commonSpan } from "./common-span.ts";

const rows = (text: string) => Int32Array.from(text, (sign, row) => (sign === "x" ? row : -1));

test.each([
  [["xxxxxx", "xxx---"], { start: 0, end: 3 }],
  [["xxxxxx", "--xxxx", "xxxx--"], { start: 2, end: 4 }],
  // A series without a common point does not count.
  [["xxx---", "xx----", "----xx"], { start: 0, end: 2 }],
  // Each series shares points with the baseline, but not with the other one.
  [["xxxxxx", "xx----", "----xx"], null],
  [["x-x-x-", "xxxxxx"], { start: 0, end: 5 }],
  [["------", "xxxxxx"], null],
] as const)("spans the points that all of %j cover", (series, span) => {
  expect(commonSpan(series.map(rows), 0)).toEqual(span);
});

test("covers a series completely only if no other one ends within it", () => {
  const span = fc.tuple(fc.nat(30), fc.nat(30)).map((ends) => ends.sort((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(span, { minLength: 2, maxLength: 6 }), (spans) => {
      const series = spans.map(([from, to]) =>
        rows("-".repeat(from!) + "x".repeat(to! - from! + 1) + "-".repeat(30 - to!)),
      );
      const found = commonSpan(series, 0);
      const [first] = spans;
      const touching = spans.filter(([from, to]) => from! <= first![1]! && to! >= first![0]!);
      const start = Math.max(...touching.map(([from]) => from!));
      const end = Math.min(...touching.map(([, to]) => to!)) + 1;
      expect(found).toEqual(start < end ? { start, end } : null);
    }),
  );
});
