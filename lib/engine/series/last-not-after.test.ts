import fc from "fast-check";
import { expect, test } from "vitest";
import { lastNotAfter } from "./window.ts";

test("returns the last place that is not after the wanted one", () => {
  const places = fc
    .uniqueArray(fc.integer({ min: -50, max: 50 }), { maxLength: 30 })
    .map((list) => Float64Array.from(list).sort());
  const wanted = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(places, wanted, (known, place) => {
      expect(lastNotAfter(known, place)).toBe(known.findLastIndex((one) => one <= place));
    }),
  );
});
