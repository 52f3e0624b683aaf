import fc from "fast-check";
import { expect, test } from "vitest";
import { binColumn, cutPoints, MISSING_BIN } from "./bins.ts";

test("places cuts at the midpoint of neighbours, or at the lower one if float32 has no value between them", () => {
  const next = 1 + 2 ** -23;
  expect(cutPoints(Float32Array.of(4, 2, 4, 1, next), 255)).toEqual(
    Float32Array.of(1, Math.fround((next + 2) / 2), 3),
  );
});

test("treats 0 and -0 as the same value", () => {
  expect(cutPoints(Float32Array.of(0, -0, 1, -0), 255)).toEqual(Float32Array.of(0.5));
});

test("treats infinities as values below and above all others", () => {
  const cuts = cutPoints(Float32Array.of(Infinity, -Infinity, 5), 255);
  expect(cuts).toEqual(Float32Array.of(-Infinity, 5));
});

test("gives a frequent value one bin and shares the others among the remaining values", () => {
  const column = Float32Array.from({ length: 2_000 }, (_, row) => (row < 1_000 ? 0 : row));
  const cuts = cutPoints(column, 101);
  expect(cuts).toHaveLength(100);
  expect(cuts[0]).toBeLessThan(1_000);
});

test("returns at most maxBins bins that keep the order of values and match the cuts", () => {
  const value = fc.oneof(fc.float(), fc.constantFrom(0, -0, 1, 2, 1e-45), fc.constant(Number.NaN));
  const input = fc.record({
    column: fc.float32Array({ minLength: 1, maxLength: 400 }),
    extra: fc.array(value, { maxLength: 100 }),
    maxBins: fc.integer({ min: 2, max: 255 }),
  });
  fc.assert(
    fc.property(input, ({ column, extra, maxBins }) => {
      const all = Float32Array.of(...column, ...extra);
      const cuts = cutPoints(all, maxBins);
      const bins = new Uint8Array(all.length);
      binColumn(all, cuts, bins, 0, 1);
      expect(cuts.length).toBeLessThanOrEqual(maxBins);
      for (let i = 1; i < cuts.length; i++) expect(cuts[i]).toBeGreaterThan(cuts[i - 1]!);
      all.forEach((x, row) => {
        const bin = bins[row]!;
        if (Number.isNaN(x)) {
          expect(bin).toBe(MISSING_BIN);
          return;
        }
        expect(bin).toBeLessThan(maxBins);
        if (bin < cuts.length) expect(x).toBeLessThanOrEqual(cuts[bin]!);
        if (bin > 0) expect(x).toBeGreaterThan(cuts[bin - 1]!);
      });
    }),
  );
});
