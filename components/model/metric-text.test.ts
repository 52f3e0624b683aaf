import { describe, expect, it } from "vitest";
import { improvementPercent, improvementText, metricsOf } from "./metric-text.ts";

describe("improvementPercent", () => {
  it("returns the reduction of the naive forecast's error", () => {
    expect(improvementPercent("rmse", 30, 40)).toBeCloseTo(25);
    expect(improvementPercent("mae", 50, 40)).toBeCloseTo(-25);
  });

  it("compares R² by the unexplained share, because a higher R² is better", () => {
    expect(improvementPercent("r2", 0.9, 0.5)).toBeCloseTo(80);
  });

  it("returns null without comparable values", () => {
    expect(improvementPercent("rmse", 1, null)).toBeNull();
    expect(improvementPercent("rmse", 1, 0)).toBeNull();
    expect(improvementPercent("bias", 1, 2)).toBeNull();
  });

  it("describes the improvement in words", () => {
    expect(improvementText(25.4)).toBe("25 % better");
    expect(improvementText(-3)).toBe("3 % worse");
    expect(improvementText(0)).toBe("0 % better");
    expect(improvementText(100)).toBe("100 % better");
  });

  it("shows 0 % and 100 % only for exact values", () => {
    expect(improvementText(improvementPercent("rmse", 1.26, 788))).toBe("99.8 % better");
    expect(improvementText(99.99)).toBe("99.99 % better");
    expect(improvementText(-0.2)).toBe("0.2 % worse");
    expect(improvementText(-100.3)).toBe("100.3 % worse");
  });
});

describe("metricsOf", () => {
  it("lists the metrics of all sets, unknown ones last", () => {
    expect(metricsOf({ pinball: 1, r2: 0.5 }, { rmse: 1 }, null)).toEqual(["rmse", "r2", "pinball"]);
  });
});
