import { describe, expect, it } from "vitest";
import { tooGood } from "./too-good.ts";

type Summary = Parameters<typeof tooGood>[0];

const feature = (name: string, role: "input" | "timestamp" | "upstream" = "input") =>
  ({ name, role }) as Summary["inputFeatures"][number];

function summary(rmse: number, gains: Record<string, number>, naive: number | null = 10): Summary {
  return {
    trainingMetrics: { train: null, validation: { rmse }, baseline: naive === null ? null : { rmse: naive } },
    inputFeatures: [feature("day", "timestamp"), feature("a"), feature("b"), feature("c")],
    importance: Object.entries(gains).map(([name, gain]) => ({ feature: name, gain })),
  } as Summary;
}

describe("tooGood", () => {
  it("names the inputs that explain nearly all of the target", () => {
    const found = tooGood(summary(0.1, { a: 0.7, b: 0.27, c: 0.01, day: 0.02 }));
    expect(found?.columns).toEqual(["a", "b"]);
    expect(found?.r2).toBeCloseTo(0.9999);
  });

  it("accepts a very good model: 5% of the naive forecast's error", () => {
    expect(tooGood(summary(0.5, { a: 1 }))).toBeNull();
  });

  it("accepts a perfect model of the calendar or the past", () => {
    expect(tooGood(summary(0, { day: 0.9, a: 0.1 }))).toBeNull();
  });

  it("needs a naive forecast with an error", () => {
    expect(tooGood(summary(0, { a: 1 }, 0))).toBeNull();
    expect(tooGood(summary(0, { a: 1 }, null))).toBeNull();
  });
});
