import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareToBaseline } from "./compare.ts";
import { compareScenarios, type ScenarioSeries } from "./compare-scenarios.ts";
import { summarize } from "./summary.ts";

const value = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -1000, max: 1000 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const pair = fc.array(fc.tuple(value, value), { maxLength: 40 });
const split = (pairs: [number, number][]) =>
  [Float64Array.from(pairs, ([a]) => a), Float64Array.from(pairs, ([, b]) => b)] as const;

describe("compareToBaseline", () => {
  const all = (values: Float64Array) => Int32Array.from(values.keys());

  it("sums the differences at shared points, and negates them for swapped series", () => {
    fc.assert(
      fc.property(pair, (pairs) => {
        const [a, b] = split(pairs);
        const there = compareToBaseline(a, b, all(a));
        const back = compareToBaseline(b, a, all(a));
        const both = pairs.filter(([x, y]) => !Number.isNaN(x) && !Number.isNaN(y));
        const total = both.reduce((sum, [x, y]) => sum + x - y, 0);
        if (both.length === 0) {
          expect(there).toMatchObject({ totalDifference: null, percentDifference: null });
          return;
        }
        expect(there.totalDifference).toBe(total);
        expect(back.totalDifference! + total).toBe(0);
        pairs.forEach(([x, y], index) => {
          expect(there.differences[index]).toBe(x - y);
          expect(Number.isNaN(there.cumulative[index])).toBe(Number.isNaN(x - y));
        });
        const lastCumulative = there.cumulative.filter((one) => !Number.isNaN(one)).at(-1);
        expect(lastCumulative).toBe(total);
        const even = all(a).filter((row) => row % 2 === 0);
        expect(compareToBaseline(a, b, even)).toEqual({
          ...there,
          differences: there.differences.filter((_, row) => row % 2 === 0),
          cumulative: there.cumulative.filter((_, row) => row % 2 === 0),
        });
      }),
    );
  });

  it("is zero against itself", () => {
    fc.assert(
      fc.property(pair, (pairs) => {
        const [a] = split(pairs);
        const { totalDifference, percentDifference } = compareToBaseline(a, a, all(a));
        const expected = a.every((one) => Number.isNaN(one)) ? null : 0;
        expect([totalDifference, percentDifference]).toEqual([expected, expected]);
      }),
    );
  });

  it("returns the percentage of the baseline's sum at the same points, or null for a sum of 0", () => {
    const percent = (a: number[], b: number[]) =>
      compareToBaseline(Float64Array.from(a), Float64Array.from(b), new Int32Array(0)).percentDifference;
    expect(percent([110, 1000, 5], [100, Number.NaN, 10])).toBeCloseTo((5 / 110) * 100);
    expect(percent([-90], [-100])).toBe(10);
    expect(percent([1, 1], [1, -1])).toBeNull();
    expect(percent([0], [0])).toBe(0);
  });

  it("keeps small differences among large ones", () => {
    const a = Float64Array.of(1e16, 1, -1e16);
    expect(compareToBaseline(a, new Float64Array(3), all(a)).totalDifference).toBe(1);
  });
});

describe("compareScenarios", () => {
  const scenario = (scenarioId: string, times: number[] | null, prediction: number[]): ScenarioSeries => ({
    scenarioId,
    timestamps: times === null ? null : Float64Array.from(times, (day) => day * 86_400_000),
    prediction: Float64Array.from(prediction),
  });

  it("aligns by time, with null for missing rows, and totals the shared points", () => {
    const result = compareScenarios(
      [scenario("a", [0, 1, 2], [1, 2, 3]), scenario("b", [1, 2, 3], [4, 6, 8])],
      "a",
    );
    expect(result).toEqual({
      timestamps: [0, 1, 2, 3].map((day) => new Date(day * 86_400_000).toISOString()),
      pointCount: 4,
      sent: Int32Array.of(0, 1, 2, 3),
      commonSpan: { from: "1970-01-02T00:00:00.000Z", to: "1970-01-03T00:00:00.000Z" },
      actual: null,
      bucketed: null,
      rowOf: [Int32Array.of(0, 1, 2, -1), Int32Array.of(-1, 0, 1, 2)],
      spans: [0, 1].map((at) => ({
        rowCount: 3,
        rows: { from: 0, to: 3 },
        isAligned: at === 0,
        valueCount: 3,
        summary: null,
      })),
      series: [
        {
          scenarioId: "a",
          values: Float64Array.of(1, 2, 3, Number.NaN),
          differences: Float64Array.of(0, 0, 0, Number.NaN),
          cumulative: Float64Array.of(0, 0, 0, Number.NaN),
          totalDifference: 0,
          percentDifference: 0,
        },
        {
          scenarioId: "b",
          values: Float64Array.of(Number.NaN, 4, 6, 8),
          differences: Float64Array.of(Number.NaN, 2, 3, Number.NaN),
          cumulative: Float64Array.of(Number.NaN, 2, 5, Number.NaN),
          totalDifference: 5,
          percentDifference: 100,
        },
      ],
    });
  });

  it("summarizes each series between from and to, with its rows", () => {
    const day = 86_400_000;
    const series = [
      scenario("a", [0, 1, 2, 3], [1, 2, Number.NaN, 4]),
      scenario("b", [9], [7]),
      scenario("c", [3, 2, 1], [7, 8, 9]),
    ];
    const { spans } = compareScenarios(series, "a", { from: day, to: 3 * day });
    expect(spans[0]).toEqual({
      rowCount: 3,
      rows: { from: 1, to: 4 },
      isAligned: true,
      valueCount: 2,
      summary: summarize(Float64Array.of(2, 4)),
    });
    expect(spans[1]).toMatchObject({ rowCount: 0, rows: null, valueCount: 0 });
    // Rows out of time order are not consecutive.
    expect(spans[2]).toEqual({ rowCount: 3, rows: null, isAligned: true, valueCount: 3, summary: null });
  });

  it("aligns by row, counted from 1, if a scenario has no times", () => {
    const result = compareScenarios([scenario("a", null, [1, 2]), scenario("b", [0], [3])], "b");
    expect(result).toMatchObject({
      rows: [1, 2],
      series: [
        { differences: Float64Array.of(-2, Number.NaN) },
        { differences: Float64Array.of(0, Number.NaN) },
      ],
    });
  });

  it("reduces only the points sent, not the totals, and restricts both to from and to", () => {
    const long = (id: string, offset: number) =>
      scenario(
        id,
        Array.from({ length: 5000 }, (_, day) => day),
        Array.from({ length: 5000 }, (_, day) => (day % 50) + offset),
      );
    const result = compareScenarios([long("a", 0), long("b", 2)], "a", { maxPoints: 100 });
    expect(result.series[1]!.values.length).toBeLessThanOrEqual(100);
    expect(result.series[1]!.totalDifference).toBe(10_000);
    expect(result.pointCount).toBe(5000);
    // The sum includes points that were not sent: each day adds 2.
    const days = (result as { timestamps: string[] }).timestamps.map((at) => Date.parse(at) / 86_400_000);
    expect(result.series[1]!.cumulative).toEqual(Float64Array.from(days, (day) => 2 * (day + 1)));
    const window = compareScenarios([long("a", 0), long("b", 2)], "a", {
      from: 86_400_000,
      to: 10 * 86_400_000,
    });
    expect(window.series[1]!.totalDifference).toBe(20);
    expect(window).toMatchObject({ timestamps: { length: 10, 0: "1970-01-02T00:00:00.000Z" } });
  });

  it("sends pages of consecutive points, and an empty page after the last point", () => {
    const all = [scenario("a", null, [1, 2, 3, 4, 5]), scenario("b", null, [1, 1, 1, 1, 1])];
    const options = { from: 2, maxPoints: 2 };
    expect(compareScenarios(all, "a", { ...options, offset: 1, limit: 2 })).toMatchObject({
      rows: [3, 4],
      pointCount: 4,
      series: [
        { values: Float64Array.of(3, 4) },
        { values: Float64Array.of(1, 1), cumulative: Float64Array.of(-3, -6) },
      ],
    });
    expect(compareScenarios(all, "a", { offset: 4, limit: 9 })).toMatchObject({ rows: [5] });
    expect(compareScenarios(all, "a", { offset: 9, limit: 9 })).toMatchObject({ rows: [], pointCount: 5 });
  });

  it("returns actuals, reduces them with their extremes, and returns null if none is known", () => {
    const days = Float64Array.from({ length: 100 }, (_, day) => day * 86_400_000);
    const flat = { timestamps: days, prediction: new Float64Array(100) };
    const both = ["a", "b"].map((scenarioId) => ({ scenarioId, ...flat }));
    const was = (time: number) => (time > days[60]! ? Number.NaN : time === days[41] ? 7 : 1);
    const spike = (times: Float64Array) => (times[0]! > days[60]! ? null : times.map(was));
    const thin = compareScenarios(both, "a", { maxPoints: 20 }, spike);
    expect(thin.actual).toHaveLength(thin.series[0]!.values.length);
    expect([...thin.actual!]).toEqual(expect.arrayContaining([1, 7, Number.NaN]));
    expect(compareScenarios(both, "a", { from: days[61]! }, spike).actual).toBeNull();
  });

  it("rejects a baseline that is not among the scenarios", () => {
    expect(() => compareScenarios([scenario("a", null, [1])], "b")).toThrow(RangeError);
  });
});

describe("summarize", () => {
  it("returns mean, extremes, sum, first and last of the values present", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), (values) => {
        const present = values.filter((one) => !Number.isNaN(one));
        const summary = summarize(Float64Array.from(values));
        if (present.length === 0) {
          expect(Object.values(summary)).toEqual([null, null, null, null, null, null]);
          return;
        }
        const sum = present.reduce((total, one) => total + one, 0);
        expect(summary).toEqual({
          mean: sum / present.length,
          min: Math.min(...present),
          max: Math.max(...present),
          sum,
          first: present[0],
          last: present.at(-1),
        });
      }),
    );
  });
});
