import { expect, test } from "vitest";
import { byOrigin } from "./back-test.ts";

test("splits forecasts at each origin, also if a gap lies before the first row of an origin", () => {
  // Origins every three cells. The cells 2 to 4 have no rows.
  const cells = [99, 0, 1, 5, 6, 7];
  const rows = {
    from: 1,
    actual: Float64Array.of(1, 2, 3, 4, 5),
    predicted: Float64Array.of(1, 2, 3, 4, 5),
    steps: Int32Array.of(1, 2, 3, 1, 2),
  };
  const origins = byOrigin(rows, cells).map(({ from, actual, steps }) => [from, [...actual], [...steps!]]);
  expect(origins).toEqual([
    [1, [1, 2], [1, 2]],
    [3, [3], [3]],
    [4, [4, 5], [1, 2]],
  ]);
  expect(byOrigin({ ...rows, steps: null }, null)).toEqual([{ ...rows, steps: null }]);
});
