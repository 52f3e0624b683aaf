import { describe, expect, it } from "vitest";
import type { Contributions } from "#lib/contract/scenario-series";
import { largestBars } from "./signed-bars.tsx";

describe("largestBars", () => {
  it("orders bars by absolute size and keeps the total", () => {
    const bars = largestBars({ features: ["a", "b", "c", "d"] }, [1, -5, 2, 0.5], 2);
    expect(bars).toEqual([
      { name: "b", value: -5 },
      { name: "c", value: 2 },
      { name: "2 others", value: 1.5 },
    ]);
  });

  it("does not merge a single remaining bar", () => {
    expect(largestBars({ features: ["a", "b"] }, [1, 2], 1).map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("names each contribution by feature and kind", () => {
    const features = ["price", "date", "sales", "sales", "sales"];
    const kinds: Contributions["kinds"] = ["input", "calendar", "level", "season", "past"];
    expect(largestBars({ features, kinds }, [1, -4, 20, 2, 3], 5).map(({ name }) => name)).toEqual([
      "sales: level and trend",
      "date: calendar",
      "sales: past values",
      "sales: season",
      "price",
    ]);
  });
});
