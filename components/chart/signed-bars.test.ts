import { describe, expect, it } from "vitest";
import { proposedDisplays } from "#components/display/shown.ts";
import type { ContributionKind } from "#lib/contract/contributions";
import { largestBars } from "./signed-bars.tsx";

describe("largestBars", () => {
  it("orders bars by absolute size and keeps the total", () => {
    const bars = largestBars(
      { features: ["a", "b", "c", "d"], values: [[1, -5, 2, 0.5]] },
      0,
      2,
      proposedDisplays,
    );
    expect(bars).toEqual([
      { name: "b", text: "B", value: -5 },
      { name: "c", text: "C", value: 2 },
      { name: "2 others", value: 1.5 },
    ]);
  });

  it("does not merge a single remaining bar", () => {
    const bars = largestBars({ features: ["a", "b"], values: [[1, 2]] }, 0, 1, proposedDisplays);
    expect(bars.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("names derived values by what they are, with their feature", () => {
    const parts = {
      features: ["date", "date", "sales"],
      kinds: ["calendar", "calendar", "past"] as ContributionKind[],
      details: ["hour of day", "day of week", "value 1 day earlier"],
      values: [[1, -4, 3]],
    };
    const whole = { features: ["date", "sales"], values: [[-3, 3]], parts };
    expect(largestBars(whole, 0, 5, proposedDisplays)).toEqual([
      { name: "day of week", of: "date", value: -4 },
      { name: "value 1 day earlier", of: "sales", value: 3 },
      { name: "hour of day", of: "date", value: 1 },
    ]);
  });

  it("names each contribution by feature and kind, without the unit of the feature", () => {
    const features = ["price_eur", "date", "sales", "sales", "sales"];
    const kinds: ContributionKind[] = ["input", "calendar", "level", "season", "past"];
    const parts = { features, kinds, values: [[1, -4, 20, 2, 3]] };
    const whole = { features: ["price_eur", "date", "sales"], values: [[1, -4, 25]], parts };
    expect(largestBars(whole, 0, 5, proposedDisplays).map(({ text }) => text)).toEqual([
      "Sales: level and trend",
      "Date: calendar",
      "Sales: past values",
      "Sales: season",
      "Price",
    ]);
  });
});
