import { describe, expect, it } from "vitest";
import { largestBars } from "./signed-bars.tsx";

describe("largestBars", () => {
  it("orders bars by absolute size and keeps the total", () => {
    const bars = largestBars(["a", "b", "c", "d"], [1, -5, 2, 0.5], 2);
    expect(bars).toEqual([
      { name: "b", value: -5 },
      { name: "c", value: 2 },
      { name: "2 others", value: 1.5 },
    ]);
  });

  it("does not merge a single remaining bar", () => {
    expect(largestBars(["a", "b"], [1, 2], 1).map(({ name }) => name)).toEqual(["b", "a"]);
  });
});
