import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Buckets } from "#lib/contract/buckets";
import type { TargetSeries } from "#lib/contract/target-series";
import { axisOf } from "./axis.ts";
import { actualId, actualSeries, baselineSeries, type PreparedComparison } from "./prepare-comparison.ts";
import { pastSpan, withPast } from "./prepare-past.ts";

const day = (offset: number) => new Date(Date.UTC(2026, 2, 1 + offset)).toISOString();
const days = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => day(from + at));
const at = (offset: number) => Date.parse(day(offset));

const chart = (from: number, to: number): PreparedComparison => ({
  ...axisOf({ timestamps: days(from, to) }),
  series: [
    baselineSeries(
      { id: "s", title: "Plan", color: "#3498db" },
      Float64Array.from({ length: to - from }, (_, row) => row),
      { lower: new Float64Array(to - from), upper: new Float64Array(to - from) },
    ),
  ],
});

const past = (timestamps: string[], values: (number | null)[], buckets?: Buckets): TargetSeries => ({
  target: "y",
  rowCount: 9,
  timestamps,
  rows: [],
  values,
  ...(buckets && { buckets }),
});

describe("pastSpan", () => {
  it("is as long as the chart and ends before its first point", () => {
    const { from, to } = pastSpan(chart(0, 14))!;
    expect(Date.parse(from)).toBeLessThanOrEqual(at(-14));
    expect(Date.parse(from)).toBeGreaterThan(at(-15));
    expect(to).toBe(new Date(at(0) - 1).toISOString());
  });

  it("has as many months and quarters as the chart, although they differ in length", () => {
    const months = fc.record({
      start: fc.integer({ min: 0, max: 400 }),
      every: fc.constantFrom(1, 3),
      count: fc.integer({ min: 2, max: 8 }),
    });
    const instant = (month: number) => Date.UTC(2000, month, 1);
    fc.assert(
      fc.property(months, ({ start, every, count }) => {
        const timestamps = Array.from({ length: count }, (_, i) =>
          new Date(instant(start + i * every)).toISOString(),
        );
        const from = Date.parse(pastSpan(axisOf({ timestamps }))!.from);
        expect(from).toBeLessThanOrEqual(instant(start - count * every));
        expect(from).toBeGreaterThan(instant(start - (count + 1) * every));
      }),
    );
  });

  it("is at most two seasons: years, or weeks of points shorter than a day", () => {
    expect(pastSpan(chart(0, 2_000))!.from).toBe(day(-732));
    const hours = axisOf({
      timestamps: Array.from({ length: 1_000 }, (_, hour) =>
        new Date(at(0) + hour * 3_600_000).toISOString(),
      ),
    });
    expect(pastSpan(hours)!.from).toBe(day(-14));
  });

  it("is unknown for rows, and for a chart with fewer than two points", () => {
    expect(pastSpan(axisOf({ rows: [1, 2] }))).toBeNull();
    expect(pastSpan(axisOf({ timestamps: [] }))).toBeNull();
    expect(pastSpan(axisOf({ timestamps: [day(0)] }))).toBeNull();
  });
});

describe("withPast", () => {
  it("puts known values before the first point, and marks the last of them as origin", () => {
    const shown = withPast(chart(0, 3), past(days(-2, 1), [7, 8, 9]));
    expect([...shown.xs]).toEqual([-2, -1, 0, 1, 2].map(at));
    expect(shown).toMatchObject({ domain: [at(-2), at(2)], origin: at(-1) });
    const [plan, actual] = shown.series;
    expect([...plan!.values]).toEqual([Number.NaN, Number.NaN, 0, 1, 2]);
    expect([...plan!.band!.upper]).toEqual([Number.NaN, Number.NaN, 0, 0, 0]);
    expect(actual!.id).toBe(actualId);
    expect([...actual!.values]).toEqual([7, 8, Number.NaN, Number.NaN, Number.NaN]);
  });

  it("continues the line of the actuals", () => {
    const plain = chart(0, 2);
    const series = [...plain.series, actualSeries(Float64Array.of(5, Number.NaN), Float64Array.of(1, 2))];
    const shown = withPast({ ...plain, series }, past(days(-1, 0), [4]));
    expect(shown.series).toHaveLength(2);
    expect([...shown.series[1]!.values]).toEqual([4, 5, Number.NaN]);
    expect([...shown.series[1]!.differences!]).toEqual([Number.NaN, 1, 2]);
  });

  it("leaves out incomplete buckets, and keeps one mark of completeness for each point", () => {
    const buckets: Buckets = {
      unit: "day",
      aggregate: "sum",
      timezone: "UTC",
      from: day(-2),
      to: day(0),
      complete: [false, true, true],
    };
    const forecast = { ...chart(0, 2), buckets: { ...buckets, complete: [true, false] } };
    const shown = withPast(forecast, past(days(-2, 1), [1, 2, 3], buckets));
    expect([...shown.xs]).toEqual([-1, 0, 1].map(at));
    expect(shown.buckets!.complete).toEqual([true, true, false]);
  });

  it("returns the chart as it is without known values in the shown span", () => {
    const plain = chart(0, 3);
    const known = past(days(-2, 0), [7, 8]);
    expect(withPast(plain, undefined)).toBe(plain);
    expect(withPast(plain, past(days(-1, 0), [null]))).toBe(plain);
    expect(withPast(plain, known, [at(0), at(3)])).toBe(plain);
    expect([...withPast(plain, known, [at(-1), at(3)]).xs]).toEqual([-1, 0, 1, 2].map(at));
  });
});
