import { describe, expect, it } from "vitest";
import type { Comparison } from "#lib/contract/scenario-series";
import { prepareComparison } from "./prepare-comparison.ts";

const summary = { mean: 2, min: 1, max: 3, sum: 6, first: 1, last: 3 };
const scenario = (id: string) => ({
  id,
  runId: id,
  title: id.toUpperCase(),
  color: "#3498db",
  checkpointId: "c",
  checkpointLabel: "C",
  rowCount: 3,
  summary,
});
const comparison: Comparison = {
  baselineId: "a",
  scenarios: [scenario("a"), scenario("b")],
  timestamps: ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"],
  pointCount: 9,
  series: [
    {
      scenarioId: "a",
      values: [1, 2, 3],
      lower: [0, 1, 2],
      upper: [2, 3, 4],
      differences: [0, 0, 0],
      cumulative: [0, 0, 0],
      totalDifference: 0,
      percentDifference: 0,
    },
    {
      scenarioId: "b",
      values: [2, null, 6],
      lower: [null, null, null],
      upper: [null, null, null],
      differences: [1, null, 3],
      cumulative: [1, null, 24],
      totalDifference: 4,
      percentDifference: 100,
    },
  ],
  actual: null,
  differs: { inputs: [], checkpoints: [], dependentCheckpoints: [] },
};

describe("prepareComparison", () => {
  it("gives each series values, differences, cumulative differences and band, with NaN for missing values", () => {
    const { series, kind, xs, domain } = prepareComparison(comparison);
    expect(kind).toBe("time");
    expect([...xs]).toEqual(comparison.timestamps!.map((time) => Date.parse(time)));
    expect(domain).toEqual([Date.parse("2026-01-01"), Date.parse("2026-01-03")]);
    expect(series).toMatchObject([
      {
        values: Float64Array.of(1, 2, 3),
        differences: new Float64Array(3),
        band: { lower: Float64Array.of(0, 1, 2), upper: Float64Array.of(2, 3, 4) },
      },
      {
        values: Float64Array.of(2, Number.NaN, 6),
        differences: Float64Array.of(1, Number.NaN, 3),
        // The API sums over all points, including those that were not sent.
        cumulative: Float64Array.of(1, Number.NaN, 24),
        band: null,
      },
    ]);
  });

  it("marks the baseline and gives every series a different dash", () => {
    const { series } = prepareComparison(comparison);
    expect(series.map(({ isBaseline }) => isBaseline)).toEqual([true, false]);
    expect(new Set(series.map(({ dash }) => dash)).size).toBe(2);
  });

  it("adds known actuals, if requested, as a series with its difference from the baseline", () => {
    const known = { ...comparison, actual: [1.5, null, 2] };
    const { series } = prepareComparison(known);
    expect(series.map(({ title }) => title)).toEqual(["A", "B", "Actual"]);
    expect([...series[2]!.values]).toEqual([1.5, Number.NaN, 2]);
    expect([...series[2]!.differences!]).toEqual([0.5, Number.NaN, -1]);
    expect(prepareComparison(known, false)).toEqual(prepareComparison(comparison));
  });

  it("uses row numbers without times", () => {
    const { timestamps: _, ...rest } = comparison;
    const prepared = prepareComparison({ ...rest, rows: [1, 2, 3] });
    expect([prepared.kind, prepared.domain]).toEqual(["row", [1, 3]]);
  });
});
