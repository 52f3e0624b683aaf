import { expect, it } from "vitest";
import { sumBounds } from "./sum-bounds.ts";

/** Two series at two times; the second one has no row at the last time. */
const panel = {
  columns: ["store"],
  keys: 1,
  values: [["A"], ["B"]],
  ofRow: Int32Array.of(0, 0, 1),
  times: Float64Array.of(10, 20),
  timeOf: Int32Array.of(0, 1, 0),
};
const rows = { prediction: Float64Array.of(5, 6, 7), upper: Float64Array.of(8, 7, 11) };
const boundsOf = (sharedBySeries: number | undefined, floor: number | null) =>
  sumBounds(panel, rows, Int32Array.of(0, 0), {
    count: 1,
    places: Int32Array.of(0, 1),
    shape: { floor, ratios: [], sumPower: null, ...(sharedBySeries !== undefined && { sharedBySeries }) },
  })?.[0];

it("adds the squares of independent errors, and the widths of equal ones", () => {
  expect(boundsOf(0, null)).toEqual({ lower: Float64Array.of(7, 5), upper: Float64Array.of(17, 7) });
  expect(boundsOf(1, null)).toEqual({ lower: Float64Array.of(5, 5), upper: Float64Array.of(19, 7) });
});

it("is not below the floor of each row", () => {
  expect(boundsOf(1, 4)!.lower).toEqual(Float64Array.of(8, 5));
});

it("is not known without the dependence of the errors of series", () => {
  expect(boundsOf(undefined, null)).toBeUndefined();
});
