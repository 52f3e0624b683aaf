import { describe, expect, it } from "vitest";
import type { Comparison } from "#lib/contract/scenario-series";
import { describeComparison, prepareComparison } from "./prepare-comparison.ts";

const summary = { mean: 2, min: 1, max: 3, sum: 6, first: 1, last: 3 };
const scenario = (id: string) => ({
  id,
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
  it("gives each point its value, difference, running difference and band by series", () => {
    const { points, kind, domain } = prepareComparison(comparison);
    expect(kind).toBe("time");
    expect(domain).toEqual([Date.parse("2026-01-01"), Date.parse("2026-01-03")]);
    expect(points[2]).toEqual({
      x: Date.parse("2026-01-03"),
      v0: 3,
      d0: 0,
      c0: 0,
      b0: [2, 4],
      v1: 6,
      d1: 3,
      c1: 24,
      b1: null,
    });
  });

  it("keeps a gap a gap, and takes the running difference as it was summed over the points not sent too", () => {
    const point = prepareComparison(comparison).points[1]!;
    expect([point.v1, point.d1, point.c1]).toEqual([null, null, null]);
  });

  it("marks the baseline and gives every series another dash", () => {
    const { series } = prepareComparison(comparison);
    expect(series.map(({ isBaseline }) => isBaseline)).toEqual([true, false]);
    expect(new Set(series.map(({ dash }) => dash)).size).toBe(2);
  });

  it("draws what was, where it is known and wanted, as one more series with its difference from the baseline", () => {
    const known = { ...comparison, actual: [1.5, null, 2] };
    const { series, points } = prepareComparison(known);
    expect(series.map(({ title }) => title)).toEqual(["A", "B", "Actual"]);
    expect(points.map(({ v2, d2 }) => [v2, d2])).toEqual([
      [1.5, 0.5],
      [null, null],
      [2, -1],
    ]);
    expect(prepareComparison(known, false)).toEqual(prepareComparison(comparison));
    expect(describeComparison(known)).toContain(
      "Actual values are known at 2 of the 3 points drawn; there they are 0.25 below the baseline on average.",
    );
  });

  it("counts rows where there are no times", () => {
    const { timestamps: _, ...rest } = comparison;
    const prepared = prepareComparison({ ...rest, rows: [1, 2, 3] });
    expect([prepared.kind, prepared.domain]).toEqual(["row", [1, 3]]);
  });
});

describe("describeComparison", () => {
  it("says in words how much each scenario differs, which is highest, and of what time that is told", () => {
    expect(describeComparison(comparison)).toBe(
      "From Thu, 1 Jan 2026 to Sat, 3 Jan 2026. Baseline is A. B is 100 % above it in total. Highest in total is B.",
    );
  });

  it("tells of a scenario of another time that there is nothing to compare, and small differences by their first digit", () => {
    const [a, b] = comparison.series as [Comparison["series"][number], Comparison["series"][number]];
    const told = (change: object) => describeComparison({ ...comparison, series: [a, { ...b, ...change }] });
    expect(told({ totalDifference: null, percentDifference: null })).toContain(
      "B has no rows in common with it",
    );
    expect(told({ percentDifference: -0.0123 })).toContain("B is 0.01 % below it in total");
  });

  it("of many scenarios names the extremes alone, and counts the others", () => {
    const [a, b] = comparison.series as [Comparison["series"][number], Comparison["series"][number]];
    const other = (id: string, totalDifference: number | null, percentDifference = totalDifference) => ({
      ...{ ...b, scenarioId: id, totalDifference, percentDifference },
    });
    const many = [a, other("b", 4), other("c", -2), other("d", 0), other("e", null), other("f", 9.5)];
    const scenarios = many.map(({ scenarioId }) => scenario(scenarioId));
    expect(describeComparison({ ...comparison, scenarios, series: many })).toBe(
      "From Thu, 1 Jan 2026 to Sat, 3 Jan 2026. Baseline is A. Of the 5 others, 2 are above it in total, 1 is below it, 1 is the same, 1 has no rows in common with it. Highest in total is F (+9.5 %), lowest C (−2 %).",
    );
  });
});
