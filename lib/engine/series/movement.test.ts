import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMovements, movement, type RunForecast, relativeChange } from "./movement.ts";

const forecast = (first: number, ...values: number[]): RunForecast => ({
  timestamps: Float64Array.from(values.keys(), (step) => first + step),
  prediction: Float64Array.from(values),
});
const values = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 20 });

describe("movement", () => {
  it("adds up absolute changes at common times that the newer run did not know", () => {
    const moved = movement(forecast(1, 100, 200, 50, 40), forecast(2, 210, 40, 40, 7), 2);
    expect(moved).toEqual({ rows: 2, change: 10, level: 90 });
    expect(relativeChange(moved)).toBeCloseTo(10 / 90, 12);
    expect(movement(forecast(1, 100, 200), forecast(2, 210), null)).toEqual({
      rows: 1,
      change: 10,
      level: 200,
    });
  });

  it("leaves out missing predictions, and is unknown without common times or beside zeros", () => {
    const gaps = movement(forecast(1, Number.NaN, 5, 5), forecast(1, 4, Number.NaN, 6), null);
    expect(gaps).toEqual({ rows: 1, change: 1, level: 5 });
    expect(relativeChange(movement(forecast(1, 5), forecast(2, 5), null))).toBeNull();
    expect(relativeChange(movement(forecast(1, 0), forecast(1, 5), null))).toBeNull();
  });

  it("is zero for a forecast that stays, and the same in every unit and order of rows", () => {
    fc.assert(
      fc.property(values, values, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (one, other, unit) => {
        expect(movement(forecast(1, ...one), forecast(1, ...one), null).change).toBe(0);
        const scaled = (list: number[]) => forecast(1, ...list.map((value) => value * unit));
        const plain = relativeChange(movement(forecast(1, ...one), forecast(1, ...other), null));
        const inUnit = relativeChange(movement(scaled(one), scaled(other), null));
        if (plain === null) return;
        const { timestamps, prediction } = forecast(1, ...other);
        const reversed = { timestamps: timestamps.toReversed(), prediction: prediction.toReversed() };
        const again = relativeChange(movement(forecast(1, ...one), reversed, null));
        for (const same of [inUnit!, again!])
          expect(Math.abs(same - plain)).toBeLessThanOrEqual(1e-9 * (1 + plain));
      }),
    );
  });

  it("gives each time the same weight over several runs", () => {
    const pairs = [
      { rows: 1, change: 1, level: 10 },
      { rows: 3, change: 0, level: 30 },
    ];
    expect(relativeChange(addMovements(pairs))).toBe(1 / 40);
    expect(addMovements([])).toEqual({ rows: 0, change: 0, level: 0 });
  });
});
