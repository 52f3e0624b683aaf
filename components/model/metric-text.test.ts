import { describe, expect, it } from "vitest";
import { improvementPercent, improvementText, metricsOf } from "./metric-text.ts";

describe("improvementPercent", () => {
  it("is the part of the baseline's error that is gone", () => {
    expect(improvementPercent("rmse", 30, 40)).toBeCloseTo(25);
    expect(improvementPercent("mae", 50, 40)).toBeCloseTo(-25);
  });

  it("counts R² by what is left unexplained, because more of it is better", () => {
    expect(improvementPercent("r2", 0.9, 0.5)).toBeCloseTo(80);
  });

  it("says nothing where nothing can be compared", () => {
    expect(improvementPercent("rmse", 1, null)).toBeNull();
    expect(improvementPercent("rmse", 1, 0)).toBeNull();
    expect(improvementPercent("bias", 1, 2)).toBeNull();
  });

  it("is told in words", () => {
    expect(improvementText(25.4)).toBe("25 % better");
    expect(improvementText(-3)).toBe("3 % worse");
    expect(improvementText(0)).toBe("0 % better");
    expect(improvementText(100)).toBe("100 % better");
  });

  it("says 0 and 100 per cent of nothing else", () => {
    expect(improvementText(improvementPercent("rmse", 1.26, 788))).toBe("99.8 % better");
    expect(improvementText(99.99)).toBe("99.99 % better");
    expect(improvementText(-0.2)).toBe("0.2 % worse");
    expect(improvementText(-100.3)).toBe("100.3 % worse");
  });
});

describe("metricsOf", () => {
  it("lists what any of the sets has, the unknown ones last", () => {
    expect(metricsOf({ pinball: 1, r2: 0.5 }, { rmse: 1 }, null)).toEqual(["rmse", "r2", "pinball"]);
  });
});
