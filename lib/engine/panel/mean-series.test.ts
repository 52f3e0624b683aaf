import fc from "fast-check";
import { expect, it } from "vitest";
import { meanShares, meansOfGroups, scaleRows } from "./mean-series.ts";
import { sumBounds } from "./sum-bounds.ts";
import { sumGroups } from "./sum-series.ts";

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const row = fc.record({
  series: fc.nat(5),
  time: fc.nat(3),
  value: fc.oneof({ weight: 9, arbitrary: number }, fc.constant(Number.NaN)),
  weight: fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: 1e-3, max: 1e3, noNaN: true }) },
    fc.constantFrom(Number.NaN, 0, -1),
  ),
});
const table = fc
  .uniqueArray(row, { minLength: 1, selector: ({ series, time }) => `${series} ${time}` })
  .map((rows) => ({
    rows,
    panel: {
      columns: ["store"],
      keys: 1,
      values: Array.from({ length: 6 }, (_, at) => [String(at)]),
      ofRow: Int32Array.from(rows, ({ series }) => series),
      times: Float64Array.of(10, 20, 30, 40),
      timeOf: Int32Array.from(rows, ({ time }) => time),
    },
    values: Float64Array.from(rows, ({ value }) => value),
    weights: Float64Array.from(rows, ({ weight }) => weight),
  }));
const expectClose = (found: number, expected: number) =>
  Number.isNaN(expected) ? expect(found).toBeNaN() : expect(found).toBeCloseTo(expected, 6);

/** Three series in the first group, two in the second, and one that is not chosen. */
const groupOf = Int32Array.of(0, 0, 0, 1, 1, -1);
const places = Int32Array.of(0, 1, 2, 3);

it("is the weighted sum divided by the sum of the weights, at each time and over all of them", () => {
  fc.assert(
    fc.property(table, fc.boolean(), ({ rows, panel, values, weights }, isWeighted) => {
      const weightOf = isWeighted ? weights : null;
      const shares = meanShares(panel, values, groupOf, { count: 2, weights: weightOf });
      const means = sumGroups(panel, scaleRows(values, shares), groupOf, { count: 2, places });
      const over = { count: 2, weights: weightOf, from: 10, to: 40 };
      const all = meansOfGroups(panel, values, groupOf, over);
      for (const group of [0, 1]) {
        const expected = (time: number | null) => {
          const own = rows.filter(
            ({ series, value, weight, ...one }) =>
              groupOf[series] === group &&
              (time === null || one.time === time) &&
              !Number.isNaN(value) &&
              (!isWeighted || weight > 0),
          );
          const total = own.reduce((sum, { weight }) => sum + (isWeighted ? weight : 1), 0);
          const sum = own.reduce((sum, { value, weight }) => sum + value * (isWeighted ? weight : 1), 0);
          return own.length === 0 ? Number.NaN : sum / total;
        };
        for (const time of places) expectClose(means[group]![time]!, expected(time));
        expectClose(all[group]!, expected(null));
      }
    }),
  );
});

it("has the bounds of independent errors, and of equal ones", () => {
  const panel = {
    columns: ["store"],
    keys: 1,
    values: [["A"], ["B"]],
    ofRow: Int32Array.of(0, 1),
    times: Float64Array.of(10),
    timeOf: Int32Array.of(0, 0),
  };
  const prediction = Float64Array.of(2, 6);
  const both = Int32Array.of(0, 0);
  const shares = meanShares(panel, prediction, both, { count: 1, weights: Float64Array.of(3, 1) });
  const boundsOf = (sharedBySeries: number) =>
    sumBounds(
      panel,
      {
        prediction: scaleRows(prediction, shares),
        upper: scaleRows(Float64Array.of(3, 7), shares),
        floors: scaleRows(Float64Array.of(2, 2), shares),
      },
      both,
      {
        count: 1,
        places: Int32Array.of(0),
        shape: { floor: 2, ratios: [], sumPower: null, sharedBySeries },
      },
    )![0]!;
  expect(boundsOf(0).upper[0]).toBeCloseTo(3 + Math.hypot(0.75, 0.25), 12);
  expect(boundsOf(1).upper[0]).toBeCloseTo(4, 12);
  expect(boundsOf(1).lower[0]).toBeCloseTo(2, 12);
});
