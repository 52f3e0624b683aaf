import { expect, test } from "vitest";
import { sampleSeries } from "./judge-panel.ts";

test("samples at most 300 series, spread evenly over all", () => {
  const series = Array.from({ length: 10_000 }, (_, place) => place);
  const sampled = sampleSeries(series);
  expect(sampled).toHaveLength(300);
  const gaps = sampled.slice(1).map((place, at) => place - sampled[at]!);
  expect([sampled[0], Math.min(...gaps), Math.max(...gaps), sampled.at(-1)]).toEqual([0, 33, 34, 9966]);
  expect(sampleSeries([5, 6, 7])).toEqual([5, 6, 7]);
});
