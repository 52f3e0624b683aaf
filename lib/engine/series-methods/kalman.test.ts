import { expect, test } from "vitest";
import { kalmanFilter } from "./kalman.ts";

/** AR(1) with a seasonal moving average over 24 steps, twice. */
const [ar, ma] = [[0.9], Array.from({ length: 48 }, (_, i) => (i === 23 ? 0.5 : i === 47 ? 0.06 : 0))];

/** Returns the variances of the errors of four observations before and after a gap. */
function variances(gap: number): number[] {
  const filter = kalmanFilter(ar, ma, null);
  const observe = (value: number) => filter.update(value - filter.expected());
  const before = [1, 2, 3, 2].map(observe);
  for (let step = 0; step < gap; step++) filter.update(Number.NaN);
  return [...before, ...[1, 2, 3, 2].map(observe)];
}

test("passes a gap of a million steps at once, and is as uncertain after it as at the start", {
  timeout: 5_000,
}, () => {
  const after = variances(1_000_000).slice(4);
  const start = variances(0).slice(0, 4);
  after.forEach((variance, i) => {
    expect(variance).toBeCloseTo(start[i]!, 6);
  });
});

test("gives the same bits if it is stored in the gap", () => {
  const filter = kalmanFilter(ar, ma, null);
  filter.update(3);
  for (let step = 0; step < 1_000; step++) filter.update(Number.NaN);
  const stored = kalmanFilter(ar, ma, JSON.parse(JSON.stringify(filter.snapshot())));
  for (const value of [Number.NaN, Number.NaN, 1, 2, Number.NaN, 4]) {
    expect(stored.update(value - stored.expected())).toBe(filter.update(value - filter.expected()));
  }
  expect(stored.snapshot()).toEqual(filter.snapshot());
});
