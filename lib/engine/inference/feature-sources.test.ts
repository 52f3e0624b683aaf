import { expect, it } from "vitest";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { groupSources, importanceParts, inputSources } from "./feature-sources.ts";

const pipeline: FeaturePipeline = {
  version: 3,
  target: "sales",
  timestamp: "date",
  timezone: "UTC",
  grid: { frequency: "PT1H", timezone: "UTC", start: 0 },
  steps: [
    { op: "calendar", field: "hour", encoding: "cyclic", period: 24, harmonics: 1 },
    { op: "calendar", field: "weekday", encoding: "number" },
    { op: "holiday", country: "DE", region: null, days: [], reach: 7 },
    { op: "lag", steps: 24, fill: null },
    { op: "rolling", window: 168, shift: 24, statistic: "mean", fill: null },
    { op: "difference", span: 24, shift: 1, fill: null },
    { op: "number", feature: "price", scale: 1 },
  ],
};

it("names what each model input derives from the timestamp and the target", () => {
  const { groups, places } = groupSources(inputSources(pipeline));
  expect(groups.map(({ feature, kind, detail }) => [feature, kind, detail])).toEqual([
    ["date", "calendar", "hour of day"],
    ["date", "calendar", "day of week"],
    ["date", "calendar", "holidays"],
    ["sales", "past", "value 1 day earlier"],
    ["sales", "past", "mean of 7 days, up to 1 day earlier"],
    ["sales", "past", "change over 1 day, up to 1 hour earlier"],
    ["price", "input", null],
  ]);
  expect(places).toEqual([0, 0, 1, 2, 2, 2, 3, 4, 5, 6]);
});

it("splits the importance of features with derived values only", () => {
  const { groups } = groupSources(inputSources(pipeline));
  const gains = [0.1, 0.3, 0, 0.2, 0.1, 0, 0.3];
  expect(importanceParts("date", groups, gains)).toEqual({
    parts: [
      { detail: "day of week", gain: 0.3 },
      { detail: "hour of day", gain: 0.1 },
      { detail: "holidays", gain: 0 },
    ],
  });
  expect(importanceParts("price", groups, gains)).toEqual({});
});
