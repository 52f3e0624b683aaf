import { expect, test } from "vitest";
import { displaysOf } from "#components/display/shown.ts";
import type { Comparison } from "#lib/contract/scenario-series";
import { groupSheets } from "./group-sheets.ts";

const series = (scenarioId: string, total: number, totalDifference: number) => ({
  scenarioId,
  total,
  totalDifference,
});
const comparison = {
  baselineId: "a",
  scenarios: [
    { id: "a", title: "Base" },
    { id: "b", title: "Warm" },
  ],
  groups: [
    { values: { "a/b": "south" }, seriesCount: 3, series: [series("a", 10, 0), series("b", 12, 2)] },
    { values: { "a/b": "" }, seriesCount: 1, series: [series("a", 5, 0), series("b", 4, -1)] },
  ],
} as unknown as Comparison;

test("lists the groups of a level with their totals and differences", () => {
  const displays = displaysOf({ display: {}, units: {} });
  const [sheet] = groupSheets([{ by: "a/b", comparison }], { target: displays("sales"), displays });
  expect(sheet!.sheet).toBe("1 By a b");
  expect(sheet!.data[0]).toEqual(
    ["a/b", "Series", "Base", "Warm", "Warm, difference"].map((value) => ({ value, fontWeight: "bold" })),
  );
  expect(sheet!.data.slice(1)).toEqual([
    ["south", 3, 10, 12, 2],
    ["none", 1, 5, 4, -1],
  ]);
});
