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
  it("gives each series values, differences, cumulative differences and band, with NaN for missing values", () => {
    const { series, kind, xs, domain } = prepareComparison(comparison);
    expect(kind).toBe("time");
    expect([...xs]).toEqual(comparison.timestamps!.map((time) => Date.parse(time)));
    expect(domain).toEqual([Date.parse("2026-01-01"), Date.parse("2026-01-03")]);
    expect(series).toMatchObject([
      {
        ...{ values: Float64Array.of(1, 2, 3), differences: new Float64Array(3) },
        band: { lower: Float64Array.of(0, 1, 2), upper: Float64Array.of(2, 3, 4) },
      },
      {
        ...{ values: Float64Array.of(2, Number.NaN, 6), differences: Float64Array.of(1, Number.NaN, 3) },
        // The API sums over all points, including those that were not sent.
        ...{ cumulative: Float64Array.of(1, Number.NaN, 24), band: null },
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
    expect(describeComparison(known)).toContain(
      "Actuals are known at 2 of the 3 points drawn; there they are 0.25 below the baseline on average.",
    );
  });

  it("uses row numbers without times", () => {
    const { timestamps: _, ...rest } = comparison;
    const prepared = prepareComparison({ ...rest, rows: [1, 2, 3] });
    expect([prepared.kind, prepared.domain]).toEqual(["row", [1, 3]]);
  });
});

describe("describeComparison", () => {
  it("describes the period, each scenario's difference and the highest scenario", () => {
    expect(describeComparison(comparison)).toBe(
      "From Thu, 1 Jan 2026 to Sat, 3 Jan 2026. Baseline is A. B is 100 % above it in total. Highest in total is B.",
    );
  });

  it("reports a scenario without common rows, equal totals, and small differences by their first digit", () => {
    const [a, b] = comparison.series as [Comparison["series"][number], Comparison["series"][number]];
    const described = (change: object) =>
      describeComparison({ ...comparison, series: [a, { ...b, ...change }] });
    expect(described({ totalDifference: null, percentDifference: null })).toContain(
      "B has no rows in common with it",
    );
    expect(described({ percentDifference: -0.0123 })).toContain("B is 0.01 % below it in total");
    // No scenario is the highest.
    expect(described({ totalDifference: 0, percentDifference: 0 })).toMatch(/B is the same in total\.$/);
  });

  it("names only the extremes of many scenarios, and counts the others", () => {
    const [a, b] = comparison.series as [Comparison["series"][number], Comparison["series"][number]];
    const other = (id: string, totalDifference: number | null, percentDifference = totalDifference) => ({
      ...{ ...b, scenarioId: id, totalDifference, percentDifference },
    });
    const many = [a, other("b", 4), other("c", -2), other("d", 0), other("e", null), other("f", 9.5)];
    const scenarios = many.map(({ scenarioId }) => scenario(scenarioId));
    expect(describeComparison({ ...comparison, scenarios, series: many })).toBe(
      "From Thu, 1 Jan 2026 to Sat, 3 Jan 2026. Baseline is A. Of the 5 others, 2 are above it in total, 1 is below it, 1 is the same, 1 has no rows in common with it. Of those with common rows, the highest in total is F (+9.5 %), lowest C (−2 %).",
    );
  });
});
