import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { niceTicks } from "./nice-ticks.ts";

describe("niceTicks", () => {
  it("leaves less than a third of the chart empty", () => {
    expect(niceTicks(-39, 651, 5)).toEqual([-200, 0, 200, 400, 600, 800]);
    expect(niceTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  it("encloses every range with a few ascending, evenly spaced ticks", () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(number, fc.double({ min: 1e-2, max: 1e9, noNaN: true }), (low, span) => {
        const ticks = niceTicks(low, low + span, 5);
        expect(ticks[0]).toBeLessThanOrEqual(low + span * 1e-6);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(low + span - span * 1e-6);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
      }),
    );
  });
});
