import { expect, test } from "vitest";
import { outlookPeriodsOf } from "./outlook-periods.ts";

test("has no total where overrides make the sum too large for a number", async () => {
  const day = Date.UTC(2026, 0, 1);
  const times = Float64Array.of(day, day + 86_400_000);
  const request = { seriesCount: 1, grid: null, unit: "month", timezone: "UTC", shape: null } as const;
  const range = { from: day, behind: Date.UTC(2026, 1, 1) };
  const sumOf = async (...values: number[]) => {
    const forecast = { times, values: Float64Array.from(values), seriesOf: null, upper: null };
    const [period] = await outlookPeriodsOf({ ...request, range, forecast, actual: null });
    return [period!.forecast, period!.total];
  };
  expect(await sumOf(1, 2)).toEqual([3, 3]);
  expect(await sumOf(1e308, 1e308)).toEqual([null, null]);
  expect(await sumOf(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toEqual([null, null]);
});
