import fc from "fast-check";
import { expect, test } from "vitest";
import { fitted } from "./scale.ts";

const full = [100, 200] as const;

test("keeps a span inside the full range, at its width if possible, and never too short", () => {
  const end = fc.double({ min: -500, max: 800, noNaN: true });
  fc.assert(
    fc.property(end, end, (a, b) => {
      const requested = [Math.min(a, b), Math.max(a, b)] as const;
      const [from, to] = fitted(requested, full, 2);
      expect(from).toBeGreaterThanOrEqual(100 - 1e-9);
      expect(to).toBeLessThanOrEqual(200 + 1e-9);
      expect(to - from).toBeCloseTo(Math.min(100, Math.max(2, requested[1] - requested[0])), 9);
    }),
  );
});

test("stops panning at the ends, and leaves a valid span unchanged", () => {
  expect(fitted([90, 120], full, 1)).toEqual([100, 130]);
  expect(fitted([190, 210], full, 1)).toEqual([180, 200]);
  expect(fitted([150, 160], full, 1)).toEqual([150, 160]);
  expect(fitted([150, 150], full, 4)).toEqual([148, 152]);
});
