import { describe, expect, it } from "vitest";
import { gaussian } from "#testing/gaussian";
import { fitSharedErrors, seriesSumWidth } from "./series-total.ts";

describe("intervals of sums over series", () => {
  it("widen from independent to fully shared errors", () => {
    const rows = { widths: 500, squares: 2_500 };
    expect(seriesSumWidth(rows, 0)).toBe(50);
    expect(seriesSumWidth(rows, 1)).toBe(500);
    expect(seriesSumWidth(rows, 0.1)).toBeCloseTo(165, 0);
  });

  it("find the correlation that errors were drawn with", () => {
    const normal = gaussian(4);
    const [shared, series, width] = [0.3, 40, 1.645];
    const errors = Array.from({ length: 4_000 }, () => {
      const common = Math.sqrt(shared) * normal();
      let error = 0;
      for (let i = 0; i < series; i++) error += common + Math.sqrt(1 - shared) * normal();
      return { error, widths: series * width, squares: series * width ** 2 };
    });
    expect(Math.abs(fitSharedErrors([errors, []], 0.9) - shared)).toBeLessThan(0.05);
  });
});
