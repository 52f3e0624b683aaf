import fc from "fast-check";
import { expect, it } from "vitest";
import { PanelTotal } from "./panel-total.ts";

const shapeOf = (sharedBySeries?: number) => ({
  floor: null,
  ratios: [],
  sumPower: null,
  ...(sharedBySeries !== undefined && { sharedBySeries }),
});
const row = fc.record({
  time: fc.nat(4),
  value: fc.integer({ min: -50, max: 50 }),
  width: fc.integer({ min: 0, max: 9 }),
});

it("adds the errors at each time by their dependence, for rows in any parts", () => {
  const property = fc.property(
    fc.array(row, { minLength: 1 }),
    fc.nat(9),
    fc.constantFrom(0, 0.3, 1),
    (rows, cut, shared) => {
      const total = new PanelTotal();
      for (const part of [rows.slice(0, cut), rows.slice(cut)])
        total.add(
          Float64Array.from(part, ({ time }) => time),
          Float64Array.from(part, ({ value }) => value),
          Float64Array.from(part, ({ value, width }) => value + width),
        );
      const byTime = [...Map.groupBy(rows, ({ time }) => time).values()];
      const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
      const found = total.total(shapeOf(shared));
      expect(found.sum).toBe(sum(rows.map(({ value }) => value)));
      expect(found.count).toBe(byTime.length);
      const expected = byTime.map(
        (some) =>
          (1 - shared) * sum(some.map(({ width }) => width ** 2)) +
          shared * sum(some.map(({ width }) => width)) ** 2,
      );
      expect(found.squaredWidths).toBeCloseTo(sum(expected), 6);
    },
  );
  fc.assert(property);
});

it("has no widths without intervals, or if the dependence of the errors of series is not known", () => {
  const total = new PanelTotal();
  total.add(Float64Array.of(1, 1), Float64Array.of(2, 3), Float64Array.of(3, 4));
  expect(total.total(shapeOf()).squaredWidths).toBeNaN();
  expect(total.total(null).squaredWidths).toBeNaN();
  const without = new PanelTotal();
  without.add(Float64Array.of(1, 1), Float64Array.of(2, 3), null);
  expect(without.total(shapeOf(0.5)).squaredWidths).toBeNaN();
});
