import { expect, it } from "vitest";
import { sumByTime } from "./panel-points.ts";

const times = Float64Array.of(20, 10, 20, 10, 30);
const difference = (point: number) => point + 1;
const shown = Int32Array.of(0, 1, 2, 3, 4);

it("adds differences and parts at each time", () => {
  const values = [Float64Array.of(1, 1, 1, 1, 1), Float64Array.of(0, 1, 2, 3, 4)];
  expect(sumByTime({ axis: shown, values, shown, difference }, times)).toEqual({
    times: Float64Array.of(10, 20, 30),
    differences: Float64Array.of(6, 4, 5),
    values: [Float64Array.of(2, 2, 1), Float64Array.of(4, 2, 4)],
  });
});

it("scales the parts of some points of a time to all of them", () => {
  const axis = Int32Array.of(1, 2);
  const { values } = sumByTime({ axis, values: [Float64Array.of(3, 5)], shown, difference }, times);
  expect(values).toEqual([Float64Array.of(6, 10, 0)]);
});
