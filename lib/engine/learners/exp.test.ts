import fc from "fast-check";
import { expect, test } from "vitest";
import { exp } from "./exp.ts";

test("equals e^x within a few units of the last place", () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-14);
    }),
  );
});

test("is exact at 0, and defined at the ends", () => {
  expect([0, 1_000, -1_000, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map(exp)).toEqual(
    [1, Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0, Number.NaN],
  );
});
