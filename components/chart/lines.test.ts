import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extent, nearest, percentOf, prepareLines, visible } from "./lines.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { axisTicks, fromX, type Scale, type Span, toX } from "./scale.ts";
import { dashOf, markerOf } from "./series-style.ts";

const series = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{
      id: `s${index}`,
      title: `S ${index}`,
      color: "#3498db",
      dash: dashOf(index),
      isBaseline: index === 1,
    },
  }));
const prepared: PreparedComparison = {
  ...{ kind: "row", hasBands: true, domain: [1, 3], series: series(2) },
  points: [
    { x: 1, v0: 5, v1: 4, d0: 1, d1: 0, c0: 1, c1: 0, b0: [3, 7], b1: null },
    { x: 2, v0: null, v1: 0, d0: null, d1: 0, c0: null, c1: 0, b0: null, b1: null },
    { x: 3, v0: 1, v1: -2, d0: 3, d1: 0, c0: 40, c1: 0, b0: [0, 9], b1: null },
  ],
};
const whole = [1, 3] as const;

describe("prepareLines", () => {
  it("has a line for each series, and of differences none for the baseline", () => {
    expect(prepareLines(prepared, "value", true).lines.map(({ id }) => id)).toEqual(["s0", "s1"]);
    const [difference] = [prepareLines(prepared, "difference", true)];
    expect(difference.lines.map(({ id, band }) => [id, band])).toEqual([["s0", null]]);
    expect([...difference.lines[0]!.ys]).toEqual([1, Number.NaN, 3]);
    expect([...prepareLines(prepared, "cumulative", false).lines[0]!.ys]).toEqual([1, Number.NaN, 40]);
    expect([...prepareLines(prepared, "percent", false).lines[0]!.ys]).toEqual([25, Number.NaN, 150]);
    expect(prepareLines(prepared, "value", true, [1]).lines.map(({ id }) => id)).toEqual(["s1"]);
  });

  it("draws no more bands than can be told apart: of many series the baseline's alone", () => {
    const many = { ...prepared, series: series(20) };
    const bands = prepareLines(many, "value", true).lines.filter(({ band }) => band);
    expect(bands.map(({ id }) => id)).toEqual(["s1"]);
  });

  it("gives no two of 20 series the same dash and marker", () => {
    const kinds = Array.from({ length: 20 }, (_, index) => `${dashOf(index)} ${markerOf(index)}`);
    expect(new Set(kinds).size).toBe(20);
  });
});

describe("the stretch that is shown", () => {
  it("takes the height of what is in it and beside it, bands where they are shown, and 0 for differences", () => {
    expect(extent(prepareLines(prepared, "value", false), "value", whole)).toEqual([-2, 5]);
    expect(extent(prepareLines(prepared, "value", true), "value", whole)).toEqual([-2, 9]);
    expect(extent(prepareLines(prepared, "difference", true), "difference", whole)).toEqual([0, 3]);
    expect(extent({ xs: new Float64Array(0), lines: [] }, "value", whole)).toEqual([0, 1]);
  });

  it("draws all points in it, and one to each side", () => {
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

  it("maps places to pixels and back", () => {
    expect([toX(scale, 10), toX(scale, 15), toX(scale, 20), fromX(scale, 164)]).toEqual([64, 164, 264, 15]);
  });

  it("names full hours, days and months, however long the stretch is, not too many and not one alone", () => {
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

  it("has no per cent of nothing", () => {
    expect([percentOf(1, 0), percentOf(null, 3), percentOf(1, null)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
    expect(percentOf(-1, -4)).toBe(-25);
  });
});
