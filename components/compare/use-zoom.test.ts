import fc from "fast-check";
import { expect, test } from "vitest";
import { fitted } from "./use-zoom.ts";

const whole = [100, 200] as const;

test("a stretch stays inside of the whole, keeps its width where it can, and is never too short", () => {
  const end = fc.double({ min: -500, max: 800, noNaN: true });
  fc.assert(
    fc.property(end, end, (a, b) => {
      const asked = [Math.min(a, b), Math.max(a, b)] as const;
      const [from, to] = fitted(asked, whole, 2);
      expect(from).toBeGreaterThanOrEqual(100 - 1e-9);
      expect(to).toBeLessThanOrEqual(200 + 1e-9);
      expect(to - from).toBeCloseTo(Math.min(100, Math.max(2, asked[1] - asked[0])), 9);
    }),
  );
});

test("panning against an end stops there, and what fits is left as it is", () => {
  expect(fitted([90, 120], whole, 1)).toEqual([100, 130]);
  expect(fitted([190, 210], whole, 1)).toEqual([180, 200]);
  expect(fitted([150, 160], whole, 1)).toEqual([150, 160]);
  expect(fitted([150, 150], whole, 4)).toEqual([148, 152]);
});
