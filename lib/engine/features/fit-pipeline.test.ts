import { describe, expect, test } from "vitest";
import { request, seriesTable } from "#testing/hourly-rows";
import { requiredColumns } from "./build-features.ts";
import { fitPipeline } from "./fit-pipeline.ts";
import { shortestTargetShift, targetReads } from "./pipeline.ts";

describe("fitPipeline", () => {
  test("drops constant and empty columns, and returns the columns that it reads", () => {
    const table = seriesTable([
      { gap: 1, temp: null, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: null, sky: "rain", open: true, y: 2 },
    ]);
    const pipeline = fitPipeline({ ...request(table, "trees"), calendar: false, lags: [], rolling: [] });
    expect(requiredColumns(pipeline)).toEqual(["sky"]);
  });

  test("rejects a lag or a window that reads the present", () => {
    const table = seriesTable([
      { gap: 1, temp: 1, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: 2, sky: "rain", open: true, y: 9 },
    ]);
    for (const steps of [0, -1, 1.5, Number.NaN]) {
      expect(() => fitPipeline({ ...request(table, "trees"), lags: [steps] })).toThrow(/look back/);
      expect(() =>
        fitPipeline({
          ...request(table, "trees"),
          rolling: [{ window: 3, shift: steps, statistic: "mean" }],
        }),
      ).toThrow(/at least one step back/);
    }
    expect(() => fitPipeline({ ...request(table, "trees"), grid: null })).toThrow(/regular frequency/);
  });

  test("returns how far its features look back", () => {
    const table = seriesTable([
      { gap: 1, temp: 1, sky: "clear", open: true, y: 1 },
      { gap: 1, temp: 2, sky: "rain", open: true, y: 9 },
    ]);
    const pipeline = fitPipeline(request(table, "trees"));
    expect(shortestTargetShift(pipeline)).toBe(1);
    expect(Math.max(...pipeline.steps.map((step) => targetReads(step)?.furthest ?? 0))).toBe(5);
  });
});
