import { expect, test } from "vitest";
import { gaussLegendre } from "./gauss-legendre.ts";

test("integrates every power up to degree 2n - 1 on [0, 1] exactly", () => {
  for (let count = 1; count <= 40; count++) {
    const { points, weights } = gaussLegendre(count);
    for (let degree = 0; degree < 2 * count; degree++) {
      const integral = points.reduce((sum, point, i) => sum + weights[i]! * point ** degree, 0);
      expect(integral).toBeCloseTo(1 / (degree + 1), 13);
    }
  }
});
