import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { totalIntervals, totalOfRows } from "#lib/engine/intervals/total-intervals";
import {
  overrideBounds,
  overridePredictions,
  overridesOfRows,
  type SpanOverride,
} from "./apply-overrides.ts";

const rows = { timestamps: Float64Array.of(1, 2, 3), seriesOf: null };
const override = (fields: Partial<SpanOverride>): SpanOverride => ({
  from: 1,
  to: 3,
  operation: "add",
  value: 10,
  ofSeries: null,
  ...fields,
});
const prediction = Float64Array.of(20, 40, 60);
const bounds = { lower: Float64Array.of(15, 30, 0), upper: Float64Array.of(25, 50, 130) };
const boundsWith = (overrides: SpanOverride[], floor: number | null = 0) =>
  overrideBounds(bounds, rows, overrides, floor);

describe("overrides", () => {
  it("apply in order to the rows of their spans, and the last one of a row is named", () => {
    const overrides = [
      override({ to: 2 }),
      override({ from: 2, to: 2, operation: "set", value: 50 }),
      override({ to: 2, operation: "multiply", value: 2 }),
    ];
    expect(overridePredictions(prediction, rows, overrides)).toEqual(Float64Array.of(60, 100, 60));
    expect(boundsWith(overrides)).toEqual({
      lower: Float64Array.of(50, Number.NaN, 0),
      upper: Float64Array.of(70, Number.NaN, 130),
      floors: Float64Array.of(20, 100, 0),
    });
    expect(overridesOfRows(rows, overrides)).toEqual(Int32Array.of(2, 2, -1));
  });

  it("do not change what they are given", () => {
    overridePredictions(prediction, rows, [override({})]);
    expect(prediction).toEqual(Float64Array.of(20, 40, 60));
  });

  it("apply to chosen series only, and with conditions to no row without series", () => {
    const one = override({ ofSeries: Uint8Array.of(0, 1) });
    const panel = { ...rows, seriesOf: Int32Array.of(0, 1, 0) };
    expect(overridePredictions(prediction, panel, [one])).toEqual(Float64Array.of(20, 50, 60));
    expect(overridePredictions(prediction, rows, [one])).toEqual(prediction);
  });

  it("find the rows of times in any order", () => {
    const unordered = { timestamps: Float64Array.of(3, 1, Number.NaN), seriesOf: null };
    expect(overridePredictions(prediction, unordered, [override({ to: 1 })])).toEqual(
      Float64Array.of(20, 50, 60),
    );
  });

  it("set a missing prediction, but cannot move it", () => {
    const missing = Float64Array.of(Number.NaN, 1, 2);
    expect(overridePredictions(missing, rows, [override({ to: 1 })])[0]).toBeNaN();
    expect(overridePredictions(missing, rows, [override({ to: 1, operation: "set" })])[0]).toBe(10);
  });

  it("scale to 0 also without a least value", () => {
    const found = boundsWith([override({ operation: "multiply", value: 0 })], null);
    expect(found).toEqual({
      lower: Float64Array.of(0, 0, 0),
      upper: Float64Array.of(0, 0, 0),
      floors: Float64Array.of(0, 0, 0),
    });
  });
});

const number = fc.integer({ min: -1_000, max: 1_000 });
const anyOverride = fc
  .record({
    from: fc.integer({ min: 0, max: 9 }),
    to: fc.integer({ min: 0, max: 9 }),
    operation: fc.constantFrom("set", "add", "multiply"),
    value: number,
  })
  .map(
    ({ value, operation, ...one }): SpanOverride => ({
      ...one,
      operation,
      value: operation === "multiply" ? Math.abs(value) / 100 : value,
      ofSeries: null,
    }),
  );

describe("effective rows", () => {
  const anyRows = fc.array(fc.tuple(number, fc.integer({ min: 0, max: 500 })), {
    minLength: 1,
    maxLength: 10,
  });

  it("have ordered bounds around their predictions, none if set, and the calculated ones outside of spans", () => {
    fc.assert(
      fc.property(anyRows, fc.array(anyOverride, { maxLength: 5 }), (given, overrides) => {
        const values = Float64Array.from(given, ([value]) => value);
        const lower = Float64Array.from(given, ([value, width]) => value - width);
        const upper = Float64Array.from(given, ([value, width]) => value + width);
        const placed = { timestamps: Float64Array.from(given.keys()), seriesOf: null };
        const effective = overridePredictions(values, placed, overrides);
        const found = overrideBounds({ lower, upper }, placed, overrides, null);
        values.forEach((value, row) => {
          const own = overrides.filter(({ from, to }) => from <= row && row <= to);
          if (own.length === 0) {
            expect([effective[row], found.lower![row], found.upper![row]]).toEqual([
              value,
              lower[row],
              upper[row],
            ]);
          }
          if (own.some(({ operation }) => operation === "set")) {
            expect([found.lower![row], found.upper![row]]).toEqual([Number.NaN, Number.NaN]);
          } else {
            expect(found.lower![row]).toBeLessThanOrEqual(effective[row]! + 1e-9);
            expect(found.upper![row]).toBeGreaterThanOrEqual(effective[row]! - 1e-9);
          }
        });
      }),
    );
  });

  it("add the width of their calculated rows to a total if shifted, and none if set", () => {
    fc.assert(
      fc.property(anyRows, number, (given, value) => {
        const shape = { floor: null, ratios: [], sumPower: null, sumErrors: { shared: 0.1, fading: 0.5 } };
        const values = Float64Array.from(given, ([one]) => one);
        const upper = Float64Array.from(given, ([one, width]) => one + width);
        const placed = { timestamps: Float64Array.from(given.keys()), seriesOf: null };
        const totalWith = (overrides: SpanOverride[], count = given.length) => {
          const effective = overridePredictions(values, placed, overrides);
          const own = overrideBounds({ lower: values, upper }, placed, overrides, null);
          const total = totalOfRows({ prediction: effective, ...own }, { from: 0, to: count });
          return { sum: total.sum, interval: totalIntervals(total, shape).sumInterval };
        };
        const width = ({ sum, interval }: ReturnType<typeof totalWith>) => interval && interval.upper! - sum;
        const all = { from: 0, to: 9 };
        const plain = totalWith([]);
        const shifted = totalWith([{ ...all, operation: "add", value, ofSeries: null }]);
        expect(shifted.sum).toBeCloseTo(plain.sum + given.length * value, 6);
        expect(width(shifted)).toBeCloseTo(width(plain)!, 6);
        const set = { from: given.length - 1, to: 9, operation: "set" as const, value, ofSeries: null };
        const rest = given.length === 1 ? null : width(totalWith([], given.length - 1));
        const found = width(totalWith([set]));
        if (rest === null) expect(found).toBeNull();
        else expect(found).toBeCloseTo(rest, 6);
      }),
    );
  });
});
