import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisTicks } from "./axis-ticks.ts";
import { bandOpacity, extent, nearest, percentOf, prepareLines, visible } from "./lines.ts";
import type { ChartSeries, PreparedComparison } from "./prepare-comparison.ts";
import { fromX, type Scale, type Span, toX } from "./scale.ts";
import { dashOf, markerOf } from "./series-style.ts";

const gap = Number.NaN;
const zeros = Float64Array.of(0, 0, 0);
const columns: Pick<ChartSeries, "values" | "differences" | "cumulative" | "band"> = {
  values: Float64Array.of(5, gap, 1),
  differences: Float64Array.of(1, gap, 3),
  cumulative: Float64Array.of(1, gap, 40),
  band: { lower: Float64Array.of(3, gap, 0), upper: Float64Array.of(7, gap, 9) },
};
const baselineColumns: typeof columns = {
  values: Float64Array.of(4, 0, -2),
  differences: zeros,
  cumulative: zeros,
  band: { lower: Float64Array.of(3, 0, -2), upper: Float64Array.of(5, 1, -1) },
};
const series = (count: number) =>
  Array.from(
    { length: count },
    (_, index): ChartSeries => ({
      id: `s${index}`,
      title: `S ${index}`,
      color: "#3498db",
      dash: dashOf(index),
      isBaseline: index === 1,
      ...(index === 1 ? baselineColumns : columns),
    }),
  );
const prepared: PreparedComparison = {
  kind: "row",
  xs: Float64Array.of(1, 2, 3),
  domain: [1, 3],
  period: null,
  series: series(2),
};
const whole = [1, 3] as const;

describe("prepareLines", () => {
  it("draws a line per series, and no line for the baseline in differences", () => {
    expect(prepareLines(prepared, "value", true).lines.map(({ id }) => id)).toEqual(["s0", "s1"]);
    const [difference] = [prepareLines(prepared, "difference", true)];
    expect(difference.lines.map(({ id, band }) => [id, band])).toEqual([["s0", null]]);
    expect([...difference.lines[0]!.ys]).toEqual([1, Number.NaN, 3]);
    expect([...prepareLines(prepared, "cumulative", false).lines[0]!.ys]).toEqual([1, Number.NaN, 40]);
    expect([...prepareLines(prepared, "percent", false).lines[0]!.ys]).toEqual([25, Number.NaN, 150]);
    const plain = { ...prepared, series: [{ ...series(1)[0]!, cumulative: null }] };
    expect(prepareLines(plain, "cumulative", false).lines).toEqual([]);
    expect(prepareLines(prepared, "value", true, [1]).lines.map(({ id }) => id)).toEqual(["s1"]);
  });

  it("draws only the baseline's band if there are too many series to distinguish", () => {
    const many = { ...prepared, series: series(20) };
    const bands = prepareLines(many, "value", true).lines.filter(({ band }) => band);
    expect(bands.map(({ id }) => id)).toEqual(["s1"]);
  });

  it("gives each of 20 series a different dash and marker", () => {
    const kinds = Array.from({ length: 20 }, (_, index) => `${dashOf(index)} ${markerOf(index)}`);
    expect(new Set(kinds).size).toBe(20);
  });
});

describe("bandOpacity", () => {
  it("is fainter the more bands there are, and never hides a line behind them", () => {
    const opacity = (count: number, bands = true) =>
      bandOpacity(prepareLines({ ...prepared, series: series(count) }, "value", bands));
    expect(opacity(4)).toBeCloseTo(opacity(1) / 2, 12);
    // Six bands of three layers on top of each other let more than a quarter of the light through.
    expect((1 - opacity(6)) ** (3 * 6)).toBeGreaterThan(0.25);
    // Lines without a band change nothing.
    expect([opacity(4, false), opacity(20)]).toEqual([opacity(1), opacity(1)]);
  });
});

describe("the shown span", () => {
  it("includes visible points and their neighbours, shown bands, and 0 for differences", () => {
    expect(extent(prepareLines(prepared, "value", false), "value", whole)).toEqual([-2, 5]);
    expect(extent(prepareLines(prepared, "value", true), "value", whole)).toEqual([-2, 9]);
    expect(extent(prepareLines(prepared, "difference", true), "difference", whole)).toEqual([0, 3]);
    expect(extent({ xs: new Float64Array(0), lines: [] }, "value", whole)).toEqual([0, 1]);
  });

  it("draws all points inside the span and one on each side", () => {
    const xs = fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(xs, fc.nat(500), fc.nat(500), (places, a, b) => {
        const sorted = Float64Array.from(places).sort();
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const { start, end } = visible(sorted, [from, to]);
        const inside = [...sorted.keys()].filter((at) => sorted[at]! >= from && sorted[at]! <= to);
        for (const at of inside) expect(at >= start && at < end).toBe(true);
        if (start > 0) expect(sorted[start]!).toBeLessThan(from);
        const closest = Math.min(...[...sorted].map((x) => Math.abs(x - a)));
        expect(Math.abs(sorted[nearest(sorted, a)]! - a)).toBe(closest);
      }),
    );
    expect(nearest(new Float64Array(0), 3)).toBe(-1);
  });
});

describe("the axis", () => {
  const scale: Scale = { x: [10, 20], y: [0, 1], left: 64, right: 264, top: 0, bottom: 100 };

  it("maps positions to pixels and back", () => {
    expect([toX(scale, 10), toX(scale, 15), toX(scale, 20), fromX(scale, 164)]).toEqual([64, 164, 264, 15]);
  });

  it("labels full hours, days and months for any span, with at least two labels and not too many", () => {
    const at = Date.parse("2026-03-07T10:20:30Z");
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000_000 }),
        fc.integer({ min: 2, max: 12 }),
        (minutes, count) => {
          const to = at + minutes * 60_000;
          const ticks = axisTicks("time", [at, to], count);
          expect(ticks.length).toBeLessThanOrEqual(count + 2);
          for (const tick of ticks) expect(tick >= at && tick <= to && tick % 60_000 === 0).toBe(true);
        },
      ),
    );
    const threeWeeks: Span = [Date.parse("2012-12-10T22:00:00Z"), Date.parse("2012-12-31T23:00:00Z")];
    expect(axisTicks("time", threeWeeks, 2)).toHaveLength(3);
    const nineMonths: Span = [Date.parse("2015-03-14"), Date.parse("2015-12-31")];
    expect(axisTicks("time", nineMonths, 2)).toHaveLength(3);
    const iso = (days: number) =>
      axisTicks("time", [at, at + days * 86_400_000], 6).map((tick) =>
        new Date(tick).toISOString().slice(0, 16),
      );
    expect(iso(1)).toEqual(["2026-03-07T12:00", "2026-03-07T18:00", "2026-03-08T00:00", "2026-03-08T06:00"]);
    expect(iso(150)).toEqual([
      "2026-04-01T00:00",
      "2026-05-01T00:00",
      "2026-06-01T00:00",
      "2026-07-01T00:00",
      "2026-08-01T00:00",
    ]);
    expect(axisTicks("row", [1, 10], 4)).toEqual([2.5, 5, 7.5, 10].filter(Number.isInteger));
  });

  it("has a tick for any span of a second or more, also if there is room for only one", () => {
    const at = Date.parse("2026-03-07T10:20:30Z");
    expect(axisTicks("time", [at + 1_000, at + 46_000], 1)).toEqual([at + 30_000]);
    expect(axisTicks("time", [Date.parse("2026-03-02"), Date.parse("2026-03-31")], 2)).toHaveLength(2);
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 3_000_000_000 })),
        fc.integer({ min: 0, max: 100_000_000 }),
        fc.integer({ min: 1, max: 12 }),
        (seconds, offset, count) => {
          const from = at + 1_000 * offset;
          const ticks = axisTicks("time", [from, from + 1_000 * seconds], count);
          expect(ticks.length).toBeGreaterThan(0);
          expect(ticks.length).toBeLessThanOrEqual(count + 1);
        },
      ),
      { numRuns: 2_000, examples: [[8, 34_571_176, 2]] },
    );
  });

  it("has no percentage if the baseline is 0 or missing", () => {
    expect([percentOf(1, 0), percentOf(Number.NaN, 3), percentOf(1, undefined)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
    expect(percentOf(-1, -4)).toBe(-25);
  });
});
