import fc from "fast-check";
import { expect, test } from "vitest";
import { countOf, packingFor, packResiduals } from "./packed-residuals.ts";

function pack(residuals: number[]) {
  const total = residuals.reduce((sum, residual) => sum + Math.abs(residual), 0);
  const packing = packingFor(total, residuals.length);
  const packed = Float64Array.from(residuals);
  packResiduals(packed, packing, 0, packed.length);
  return { packed, ...packing };
}

test("any sum of cells returns its count exactly and its residuals to the quantisation step", () => {
  const residual = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const rows = fc.array(fc.record({ residual, chosen: fc.boolean() }), { minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(rows, (all) => {
      const { packed, unit, scale } = pack(all.map((row) => row.residual));
      let cell = 0;
      let count = 0;
      let sum = 0;
      all.forEach(({ chosen, residual: value }, at) => {
        if (!chosen) return;
        cell += packed[at]!;
        count++;
        sum += value;
      });
      expect(countOf(cell, 1 / unit)).toBe(count);
      const quantised = cell - count * unit;
      expect(Number.isSafeInteger(cell)).toBe(true);
      expect(Math.abs(quantised / scale - sum)).toBeLessThanOrEqual((count * 0.51) / scale + 1e-6);
    }),
  );
});

test("one residual that dwarfs all others overflows no cell", () => {
  const { packed, unit, scale } = pack([1e12, ...Array.from({ length: 999 }, () => -1)]);
  const cell = packed.reduce((sum, value) => sum + value, 0);
  expect(countOf(cell, 1 / unit)).toBe(1_000);
  expect((cell - 1_000 * unit) / scale).toBeCloseTo(1e12 - 999, -3);
});

test("residuals that are all zero pack to counts alone", () => {
  const { packed, unit } = pack([0, 0, 0]);
  expect(packed).toEqual(new Float64Array(3).fill(unit));
});
